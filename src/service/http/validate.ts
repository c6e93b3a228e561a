import type { z } from "zod";
import type { ErrorDetail } from "../../contract/errors.ts";
import { LIMITS } from "../../contract/limits.ts";
import { HttpError } from "../http-error.ts";
import { formatIssue } from "./format-issue.ts";

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
