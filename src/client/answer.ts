import { z } from "zod";
import { ServiceError, toApiError } from "./errors.ts";
import { type Reader, ShapeError } from "./reader.ts";
import type { Answer } from "./transport.ts";

type Headers = Record<string, string | string[] | undefined>;

const refusal = z.looseObject({
  message: z.string().optional().catch(undefined),
  error: z
    .union([
      z.string(),
      z.looseObject({
        message: z.string().optional().catch(undefined),
        code: z.string().optional().catch(undefined),
        details: z
          .array(z.object({ path: z.string(), message: z.string() }))
          .optional()
          .catch(undefined),
      }),
    ])
    .optional()
    .catch(undefined),
  requestId: z.string().optional().catch(undefined),
});

/** Reads an answer's text into its payload, or throws the error that it stands for. */
export function readAnswer<T>(status: number, headers: Headers, text: string, data: Reader<T>): Answer<T> {
  const whole = parseObject(text);
  if (status >= 400 || whole?.success === false) throw toApiError(readRefusal(status, headers, whole, text));
  if (!whole) throw unreadable(status, headers, `not a JSON object, but ${excerpt(text)}`);
  try {
    return { data: data(whole.data), whole };
  } catch (error) {
    if (error instanceof ShapeError) throw unreadable(status, headers, `of another shape: ${error.message}`);
    throw error;
  }
}

function readRefusal(
  status: number,
  headers: Headers,
  whole: Record<string, unknown> | undefined,
  text: string,
) {
  const body = refusal.safeParse(whole ?? {}).data ?? {};
  const error = typeof body.error === "string" ? { message: body.error } : (body.error ?? {});
  const seconds = Number(headers["retry-after"] ?? Number.NaN);
  return {
    status,
    code: ("code" in error && error.code) || `HTTP_${status}`,
    message: clip(body.message ?? error.message ?? `The service answered ${status}: ${excerpt(text)}`),
    details: ("details" in error && error.details) || [],
    requestId: body.requestId ?? null,
    retryAfter: Number.isFinite(seconds) ? seconds : null,
  };
}

function unreadable(status: number, headers: Headers, what: string): ServiceError {
  const message = `The service's answer is ${what}. Is the address that of a Quantum Job Runtime Service, version 2?`;
  const refused = readRefusal(status, headers, { message }, "");
  return new ServiceError({ ...refused, code: "UNREADABLE_ANSWER" });
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const excerpt = (text: string) => (text.trim() === "" ? "nothing" : JSON.stringify(text.trim().slice(0, 80)));

const clip = (text: string) => (text.length > 2000 ? `${text.slice(0, 2000)} …` : text);
