import type { z } from "zod";
import { type ErrorDetail, LIMITS } from "../../contract/index.ts";
import type { errorBodySchema } from "../../contract/schemas/index.ts";
import { HttpError, retryAfter } from "../http-error.ts";
import { type StorageProblem, storageProblem, UncertainError } from "../storage-errors.ts";

/** Turns what was thrown into an answer; what is not an `HttpError` is our fault, and stays in the log. */
export function answerError(error: unknown, requestId: string): Response {
  const httpError = error instanceof HttpError ? error : failureOf(error, requestId);
  const message = clip(httpError.message, 2000);
  const { code } = httpError;
  const details = httpError.details.slice(0, LIMITS.maxDetails).map(each => ({
    path: clip(each.path, 200),
    message: clip(each.message, 1000),
  }));
  const body: z.output<typeof errorBodySchema> = {
    success: false,
    message,
    error: { message, code, ...(details.length > 0 ? { details } : {}) },
    requestId,
    timestamp: new Date().toISOString(),
  };
  return Response.json(body, { status: httpError.status, headers: httpError.headers });
}

/** Seconds after which a request that met full or locked storage may succeed. */
const RETRY_AFTER_S = 5;

/** Makes the error of a request that the storage kept from being done; by default nothing of it was done. */
export function storageError(problem: StorageProblem, consequence = "Nothing was changed."): HttpError {
  return problem === "full"
    ? retryAfter("STORAGE_FULL", `The service's storage is full. ${consequence}`, RETRY_AFTER_S)
    : retryAfter("STORE_UNAVAILABLE", `The service can't use its storage now. ${consequence}`, RETRY_AFTER_S);
}

/** Says how to find out what came of a request. */
const UNSURE =
  "The request may have been carried out. Check before you repeat it: GET /jobs and GET /jobs/group list the newest first. Under the same Idempotency-Key, a submission may be repeated.";

function failureOf(error: unknown, requestId: string): HttpError {
  const problem = storageProblem(error);
  if (!problem)
    return new HttpError("INTERNAL", `The service failed. It logged why, under request ${requestId}.`);
  if (!(error instanceof UncertainError)) return storageError(problem);
  const { code, message } = storageError(problem, UNSURE);
  return new HttpError(code, message);
}

const clip = (text: string, max: number) => (text.length > max ? `${text.slice(0, max)} …` : text);

type Issue = z.core.$ZodIssue;

/** Checks a value; refuses with every bad field. */
export function validate<T>(schema: z.ZodType<T>, value: unknown, status = 400): T {
  const read = schema.safeParse(value, { reportInput: true });
  if (read.success) return read.data;
  const details = read.error.issues.slice(0, LIMITS.maxDetails).flatMap(issue => toDetails(issue));
  const paths = [...new Set(details.map(detail => detail.path || "the body"))];
  const named = paths.slice(0, 5).join(", ");
  const isMore = paths.length > 5 || read.error.issues.length > LIMITS.maxDetails;
  const more = isMore ? ` and ${Math.max(paths.length, read.error.issues.length) - 5} more` : "";
  throw new HttpError("VALIDATION_ERROR", `The request is not valid: see ${named}${more}.`, {
    status,
    details,
  });
}

function toDetails(issue: Issue, above: readonly PropertyKey[] = []): ErrorDetail[] {
  const path = [...above, ...issue.path];
  if (issue.code === "invalid_union") {
    const inner = closest(issue.errors);
    if (inner) return inner.slice(0, LIMITS.maxDetails).flatMap(each => toDetails(each, path));
  }
  if (issue.code === "unrecognized_keys") {
    return issue.keys
      .slice(0, LIMITS.maxDetails)
      .map(key => ({ path: [...path, key].map(String).join("."), message: formatIssue(issue) }));
  }
  return [{ path: path.map(String).join("."), message: formatIssue(issue) }];
}

/** The branch of a union that the value was meant for: the one that fits at its root, but not inside. */
function closest(branches: readonly Issue[][]): Issue[] | undefined {
  return branches.find(issues => issues.length > 0 && issues.every(issue => issue.path.length > 0));
}

const TYPE_NAMES: { [expected: string]: string } = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

const units: { [origin: string]: [one: string, many: string] } = {
  string: [" character", " characters"],
  array: [" entry", " entries"],
};

/** Describes what is wrong with a value, as the end of a sentence that begins with its name. */
function formatIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is missing";
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case "too_small":
      return `must ${bound(issue.origin, "at least", Number(issue.minimum))}`;
    case "too_big":
      return `must ${bound(issue.origin, "at most", Number(issue.maximum))}`;
    case "invalid_value":
      return `must be ${listOf(issue.values.map(value => JSON.stringify(value)))}`;
    case "invalid_key":
      return "must not have a name that is empty or too long";
    case "unrecognized_keys":
      return "is not known";
    default:
      return issue.message === "Invalid input" ? "is not of a kind that can be read here" : issue.message;
  }
}

function bound(origin: string, which: string, limit: number): string {
  const unit = units[origin];
  return unit ? `have ${which} ${limit}${unit[limit === 1 ? 0 : 1]}` : `be ${which} ${limit}`;
}

function listOf(values: readonly string[]): string {
  return values.length < 2 ? values.join() : `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;
}
