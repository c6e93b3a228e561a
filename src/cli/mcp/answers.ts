import type { CallToolResult } from "@modelcontextprotocol/server";
import { svgToPng } from "../../charts/index.ts";
import { ApiError, type Job, KetbookError, RequestError, type Result, ServiceError } from "../../index.ts";
import type { Budget } from "./budget.ts";

/** Most outcomes of a result that are listed. */
const MAX_ROWS = 64;

/** Whether an error says for sure that no job was made. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError ? !(error instanceof ServiceError) : !(error instanceof RequestError);

/** What a tool answers: data by its schema, text (default: the data), and a picture as SVG. */
export interface Answer {
  readonly structured?: object;
  readonly text?: string;
  readonly picture?: string;
}

/** Answers a call of a tool. A mistake of the caller or the service is an answer, too. */
export async function answer(work: () => Promise<Answer>): Promise<CallToolResult> {
  try {
    const { structured, text, picture } = await work();
    const content: CallToolResult["content"] = [
      { type: "text", text: text ?? JSON.stringify(structured, null, 1) },
    ];
    if (picture) {
      const data = Buffer.from(svgToPng(picture).bytes).toString("base64");
      content.push({ type: "image", data, mimeType: "image/png" });
    }
    return { content, ...(structured && { structuredContent: structured as Record<string, unknown> }) };
  } catch (error) {
    if (!(error instanceof KetbookError || error instanceof RangeError)) throw error;
    return { content: [{ type: "text", text: error.message }], isError: true };
  }
}

/** Returns a value as plain data. */
export const plain = (value: unknown): object => JSON.parse(JSON.stringify(value ?? null));

/** Returns a job as tools answer it. */
export function fieldsOf({ record, qrn, status, cost }: Job) {
  const { deviceQrn, statusMsg, shots } = record;
  return { jobQrn: qrn, deviceQrn, status, statusMsg, shots, cost };
}

/** Waits for a job, and returns its result where it has one. */
export async function finished(job: Job, seconds: number, budget: Budget): Promise<Answer> {
  let [result, note]: [Result | undefined, string | undefined] = [undefined, undefined];
  try {
    result = await job.result({ timeout: Math.max(1, seconds * 1000) });
  } catch (error) {
    if (!(error instanceof KetbookError)) throw error;
    note = error.message;
  }
  await job.refresh().catch(() => undefined);
  budget.settle(job.qrn, job.cost);
  const rows = (result?.toRows() ?? []).sort((a, b) => (b.probability ?? 0) - (a.probability ?? 0));
  const structured = {
    ...fieldsOf(job),
    ...(result && { outcomes: plain(rows.slice(0, MAX_ROWS)), omitted: Math.max(0, rows.length - MAX_ROWS) }),
    ...(note !== undefined && { note }),
    left: budget.left,
  };
  return { structured, ...(result && { picture: result.toSVG() }) };
}
