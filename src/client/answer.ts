import { z } from "zod";
import { ServiceError, toApiError } from "./errors.ts";
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
export function readAnswer<T>(status: number, headers: Headers, text: string, data: z.ZodType<T>): Answer<T> {
  const whole = parseObject(text);
  if (status >= 400 || whole?.success === false) throw toApiError(readRefusal(status, headers, whole, text));
  if (!whole) throw unreadable(status, headers, `not a JSON object, but ${excerpt(text)}`);
  const payload = data.safeParse(whole.data);
  if (payload.success) return { data: payload.data, whole };
  const [issue] = payload.error.issues;
  throw unreadable(status, headers, `of another shape: data.${issue?.path.join(".")}: ${issue?.message}`);
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
