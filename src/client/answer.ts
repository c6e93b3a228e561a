import type { ErrorDetail } from "../contract/errors.ts";
import { isRecord, type Reader } from "../contract/reader.ts";
import { ShapeError } from "../contract/shape-error.ts";
import {
  type ApiError,
  type ApiErrorBody,
  type RequestErrorOptions,
  redact,
  ServiceError,
  toApiError,
} from "./errors.ts";
import type { HttpResponse } from "./http.ts";

/** An answer: its payload, and the whole of it for what else it holds. */
export interface Answer<T> {
  data: T;
  whole: Record<string, unknown>;
}

/** What an answer's head says. */
export type AnswerHead = Pick<HttpResponse, "status" | "header">;

/** Reads an answer's text into its payload, or throws the error that it stands for, which never holds the key. */
export function readAnswer<T>(
  head: AnswerHead,
  text: string,
  data: Reader<T>,
  about: RequestErrorOptions,
  apiKey = "",
): Answer<T> {
  const whole = parseObject(text);
  const isAnswered = head.status >= 200 && head.status < 300 && whole && whole.success !== false;
  if (!isAnswered) throw failureOf(head, redact(text, apiKey), about);
  try {
    return { data: data(whole.data), whole };
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const what = `of another shape: ${visible(error.message)}`;
    throw unreadable(head, "UNEXPECTED_SHAPE", what, about, parseObject(redact(text, apiKey)));
  }
}

/** The error that an answer stands for. In browsers, a redirect has the status 0. */
function failureOf(head: AnswerHead, text: string, about: RequestErrorOptions): ApiError {
  const whole = parseObject(text);
  const isRedirect = head.status < 200 || (head.status >= 300 && head.status < 400);
  if (isRedirect) return redirect(head, whole, about);
  if (head.status >= 400 || whole) return toApiError(readRefusal(head, whole, text), about);
  return unreadable(head, "UNREADABLE_ANSWER", `not a JSON object, but ${excerpt(text)}`, about);
}

function readRefusal(head: AnswerHead, whole: Record<string, unknown> = {}, text = ""): ApiErrorBody {
  const { status } = head;
  const error = isRecord(whole.error) ? whole.error : {};
  const data = isRecord(whole.data) ? whole.data : {};
  const said = [whole.message, error.message, whole.error, whole.detail, data.message]
    .map(messageOf)
    .find(Boolean);
  const noReason =
    status < 300
      ? `The service refused the request under status ${status}, and gives no reason.`
      : `The service answered ${status}: ${excerpt(text)}`;
  return {
    status,
    code: visible(wordsOf(error.code) ?? wordsOf(whole.code) ?? `HTTP_${status}`),
    message: clip(said ?? noReason, 2000),
    details: readDetails(error.details),
    requestId: identifierOf(whole.requestId) ?? identifierOf(error.requestId) ?? head.header("x-request-id"),
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
function retryAfterOf({ status, header }: AnswerHead): number | null {
  const serverNow = Date.parse(header("date") ?? "") || Date.now();
  const said = header("retry-after");
  if (said !== null) {
    const seconds = said.trim() === "" ? Number.NaN : Number(said);
    const wait = Number.isNaN(seconds) ? (Date.parse(said) - serverNow) / 1000 : seconds;
    if (!Number.isNaN(wait)) return Math.max(0, Math.ceil(wait));
  }
  if (status !== 429) return null;
  const structured = /\b(?:t|reset)=(\d+)/.exec(header("ratelimit") ?? "")?.[1];
  const reset = Number(header("ratelimit-reset") ?? header("x-ratelimit-reset") ?? structured ?? Number.NaN);
  if (Number.isNaN(reset)) return null;
  const isMoment = reset > 1e9;
  return Math.max(0, Math.ceil(isMoment ? reset - serverNow / 1000 : reset));
}

function redirect(
  head: AnswerHead,
  whole: Record<string, unknown> | undefined,
  about: RequestErrorOptions,
): ApiError {
  const target = clip(head.header("location") ?? "", 500);
  const message = target
    ? `The service has moved: it answered ${head.status} and names ${JSON.stringify(target)}. If you trust that address, use it as the url.`
    : `The service answered ${head.status}, a redirect that names no address. Is the url right?`;
  return new ServiceError(message, { ...readRefusal(head, whole), code: "REDIRECT" }, about);
}

function unreadable(
  head: AnswerHead,
  code: "UNREADABLE_ANSWER" | "UNEXPECTED_SHAPE",
  what: string,
  about: RequestErrorOptions,
  whole?: Record<string, unknown>,
): ServiceError {
  const message = `The service's answer is ${what}. Is the address that of a Quantum Job Runtime Service, version 2?`;
  return new ServiceError(message, { ...readRefusal(head, whole), code }, about);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const wordsOf = (value: unknown) => (typeof value === "string" && value.trim() !== "" ? value : undefined);

/** The words of a message, or of a list of them. */
const messageOf = (value: unknown) =>
  Array.isArray(value) ? wordsOf(value.map(wordsOf).filter(Boolean).join("; ")) : wordsOf(value);

const identifierOf = (value: unknown) => {
  const words = wordsOf(Number.isFinite(value) ? String(value) : value);
  return words && clip(words, 200);
};

const unseen = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The text with the code of what can't be seen in its place, so that none of it steers a terminal. */
const visible = (text: string) =>
  text.replace(unseen, found => `‹U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}›`);

const excerpt = (text: string) =>
  text.trim() === "" ? "nothing" : visible(JSON.stringify(text.trim().slice(0, 80)));

const clip = (text: string, max: number) => visible(text.length > max ? `${text.slice(0, max)} …` : text);
