import { type ErrorDetail, isRecord, type Reader, ShapeError } from "../contract/index.ts";
import {
  type ApiError,
  type ApiErrorBody,
  type RequestErrorOptions,
  redact,
  ServiceError,
  toApiError,
} from "./errors/index.ts";
import type { HttpResponse } from "./http.ts";

export interface ParsedResponse<T> {
  data: T;
  body: Record<string, unknown>;
}

type ResponseHead = Pick<HttpResponse, "status" | "header">;

/** Parses a response's text, or throws the error that it stands for, which never holds the key. */
export function parseResponse<T>(
  head: ResponseHead,
  text: string,
  data: Reader<T>,
  context: RequestErrorOptions,
  apiKey = "",
): ParsedResponse<T> {
  const parsed = parse(text);
  if (isTooDeep(parsed)) {
    const what = `nested more than ${MAX_DEPTH} levels deep`;
    throw unreadableError(head, "UNEXPECTED_SHAPE", what, context);
  }
  const body = isRecord(parsed) ? parsed : undefined;
  const isAnswered = head.status >= 200 && head.status < 300 && body && body.success !== false;
  if (!isAnswered) throw errorOf(head, redact(text, apiKey), context);
  try {
    return { data: data(body.data), body };
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const what = `of another shape: ${escapeInvisible(error.message)}`;
    throw unreadableError(head, "UNEXPECTED_SHAPE", what, context, parseObject(redact(text, apiKey)));
  }
}

/** The error that an answer stands for. In browsers, a redirect has the status 0. */
function errorOf(head: ResponseHead, text: string, context: RequestErrorOptions): ApiError {
  const body = parseObject(text);
  const isRedirect = head.status < 200 || (head.status >= 300 && head.status < 400);
  if (isRedirect) return redirectError(head, body, context);
  if (head.status >= 400 || body) return toApiError(readErrorBody(head, body, text), context);
  return unreadableError(head, "UNREADABLE_ANSWER", `not a JSON object, but ${excerpt(text)}`, context);
}

function readErrorBody(head: ResponseHead, body: Record<string, unknown> = {}, text = ""): ApiErrorBody {
  const { status } = head;
  const error = isRecord(body.error) ? body.error : {};
  const data = isRecord(body.data) ? body.data : {};
  const given = [body.message, error.message, body.error, body.detail, data.message]
    .map(messageOf)
    .find(Boolean);
  const noReason =
    status < 300
      ? `The service refused the request under status ${status}, and gives no reason.`
      : `The service answered ${status}: ${excerpt(text)}`;
  return {
    status,
    code: escapeInvisible(nonEmpty(error.code) ?? nonEmpty(body.code) ?? `HTTP_${status}`),
    message: clip(given ?? noReason, 2000),
    details: readDetails(error.details),
    requestId: identifierOf(body.requestId) ?? identifierOf(error.requestId) ?? head.header("x-request-id"),
    retryAfter: retryAfterOf(head),
  };
}

function readDetails(details: unknown): ErrorDetail[] {
  if (!Array.isArray(details)) return [];
  return details.filter(isRecord).map(({ path, message }) => ({
    path: clip(Array.isArray(path) ? path.join(".") : String(path ?? ""), 500),
    message: clip(String(message ?? ""), 2000),
  }));
}

/** Seconds that a service asks to wait: as a number, as a date by its own clock, or until its rate limit resets. */
function retryAfterOf({ status, header }: ResponseHead): number | null {
  const serverNow = Date.parse(header("date") ?? "") || Date.now();
  const given = header("retry-after");
  if (given !== null) {
    const seconds = given.trim() === "" ? Number.NaN : Number(given);
    const wait = Number.isNaN(seconds) ? (Date.parse(given) - serverNow) / 1000 : seconds;
    if (!Number.isNaN(wait)) return Math.max(0, Math.ceil(wait));
  }
  if (status !== 429) return null;
  const structured = /\b(?:t|reset)=(\d+)/.exec(header("ratelimit") ?? "")?.[1];
  const reset = Number(header("ratelimit-reset") ?? header("x-ratelimit-reset") ?? structured ?? Number.NaN);
  if (Number.isNaN(reset)) return null;
  const isMoment = reset > 1e9;
  return Math.max(0, Math.ceil(isMoment ? reset - serverNow / 1000 : reset));
}

function redirectError(
  head: ResponseHead,
  body: Record<string, unknown> | undefined,
  context: RequestErrorOptions,
): ApiError {
  const target = clip(head.header("location") ?? "", 500);
  const message = target
    ? `The service has moved: it answered ${head.status} and names ${JSON.stringify(target)}. If you trust that address, use it as the url.`
    : `The service answered ${head.status}, a redirect that names no address. Is the url right?`;
  return new ServiceError(message, { ...readErrorBody(head, body), code: "REDIRECT" }, context);
}

function unreadableError(
  head: ResponseHead,
  code: "UNREADABLE_ANSWER" | "UNEXPECTED_SHAPE",
  what: string,
  context: RequestErrorOptions,
  body?: Record<string, unknown>,
): ServiceError {
  const message = `The service's answer is ${what}. Is the address that of a Quantum Job Runtime Service, version 2?`;
  return new ServiceError(message, { ...readErrorBody(head, body), code }, context);
}

/** Maximum nesting of an answer. What is nested a few thousand levels deep can't be written as JSON again. */
const MAX_DEPTH = 1000;

const isTooDeep = (value: unknown, depth = 0): boolean =>
  typeof value === "object" &&
  value !== null &&
  (depth >= MAX_DEPTH || Object.values(value).some(member => isTooDeep(member, depth + 1)));

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parse(text);
  return isRecord(value) ? value : undefined;
}

const nonEmpty = (value: unknown) => (typeof value === "string" && value.trim() !== "" ? value : undefined);

const messageOf = (value: unknown) =>
  Array.isArray(value) ? nonEmpty(value.map(nonEmpty).filter(Boolean).join("; ")) : nonEmpty(value);

const identifierOf = (value: unknown) => {
  const words = nonEmpty(Number.isFinite(value) ? String(value) : value);
  return words && clip(words, 200);
};

const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Replaces invisible characters by their codes, to keep them from controlling a terminal. */
const escapeInvisible = (text: string) =>
  text.replace(
    INVISIBLE,
    found => `‹U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}›`,
  );

const excerpt = (text: string) =>
  text.trim() === "" ? "nothing" : escapeInvisible(JSON.stringify(text.trim().slice(0, 80)));

const clip = (text: string, max: number) =>
  escapeInvisible(text.length > max ? `${text.slice(0, max)} …` : text);
