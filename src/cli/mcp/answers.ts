import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ZodObject } from "zod";
import { svgToPng } from "../../charts/index.ts";
import { ApiError, type Job, KetbookError, RequestError, ServiceError } from "../../index.ts";
import type { Budget } from "./budget.ts";
import { jobAnswer } from "./schemas.ts";

/** Most outcomes of a result that are listed. */
const MAX_ROWS = 64;

/** Whether an error says for sure that no job was made. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError ? !(error instanceof ServiceError) : !(error instanceof RequestError);

/** Answer of a tool: data by its schema, text (default: the data), and a picture as SVG. */
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

export const plain = (value: unknown): object => JSON.parse(JSON.stringify(value ?? null));

/** Returns those members of an object that a schema has. */
export function picked(from: object, { shape }: ZodObject): object {
  const given = from as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.keys(shape).map(name => [name, given[name]]));
}

/** Waits for a job, and returns its result where it has one. */
export async function finished(job: Job, seconds: number, budget: Budget): Promise<Answer> {
  const result = await job.result({ timeout: Math.max(1, seconds * 1000) }).catch((error: unknown) => {
    if (error instanceof KetbookError) return error;
    throw error;
  });
  await job.refresh().catch(() => undefined);
  budget.settleJob(job);
  const common = { ...picked(job.record, jobAnswer), left: budget.left };
  if (result instanceof KetbookError) return { structured: { ...common, note: result.message } };
  const rows = result.toRows().sort((a, b) => (b.probability ?? 0) - (a.probability ?? 0));
  const outcomes = plain(rows.slice(0, MAX_ROWS));
  const omitted = Math.max(0, rows.length - MAX_ROWS);
  return { structured: { ...common, outcomes, omitted }, picture: result.toSVG() };
}
