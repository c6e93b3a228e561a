import type { CallToolResult } from "@modelcontextprotocol/server";
import { svgToPng } from "../../charts/index.ts";
import {
  ApiError,
  type Device,
  type Job,
  KetbookError,
  type QasmProgram,
  RequestError,
  type Result,
  ServiceError,
  transpile,
} from "../../index.ts";
import type { Budget } from "./budget.ts";

/** Most outcomes of a result that are listed. */
const MAX_ROWS = 64;
/** Minutes of a simulator's time that are reserved where time has a price. */
const RESERVED_MINUTES = 10;
/** Seconds of a QPU's time that are reserved for a job, and for the reset before each shot. */
const [JOB_SECONDS, RESET_SECONDS] = [10, 0.001];

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

/**
 * Returns the credits that a job may cost at most, by the device's prices: a quote is not a limit, since services charge for
 * the time that a job takes. Of a simulator that is ten minutes, of a QPU the schedule of all shots with a margin.
 */
export async function highestCost(program: QasmProgram, device: Device, shots: number): Promise<number> {
  const { perTask = null, perShot = null, perMinute = null } = device.pricing ?? {};
  if (perTask === null || perShot === null || perMinute === null)
    throw new KetbookError(
      `Not submitted: the service does not say what ${device.qrn} costs, so no limit can be kept.`,
    );
  const fixed = perTask + perShot * shots;
  if (perMinute === 0) return fixed;
  if (device.deviceType === "SIMULATOR") return fixed + perMinute * RESERVED_MINUTES;
  const { duration } = await transpile(program, device);
  if (duration === null)
    throw new KetbookError(
      "Not submitted: the device charges for time, and it is not known how long a shot of this program takes.",
    );
  const seconds = JOB_SECONDS + shots * (duration / 1e9 + RESET_SECONDS);
  return fixed + (perMinute * seconds) / 60;
}

/** Returns what a tool says of every job. */
export const fieldsOf = (job: Job) => ({
  job: job.qrn,
  device: job.record.deviceQrn ?? null,
  status: job.status,
  cost: job.cost,
  shots: job.record.shots ?? null,
});

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
