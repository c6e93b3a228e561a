import type { Context as Call, MiddlewareHandler } from "hono";
import { badField } from "../http-error.ts";

/** Returns the path that a call was sent to, as it was sent. */
export function pathOf(call: Pick<Call, "req">): string {
  return call.req.url.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/[?#].*$/s, "");
}

/** Refuses a path that is malformed. */
export const checkPath: MiddlewareHandler = (call, next) => {
  checkEncoding(pathOf(call));
  return next();
};

/** Reads the query; refuses what is malformed, or given twice. */
export function readQuery(url: string): Record<string, string> {
  const at = url.indexOf("?");
  if (at < 0) return {};
  const raw = url.slice(at + 1);
  checkEncoding(raw.replaceAll("+", " "));
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(raw)) {
    if (name in query) throw badField(name, "is given twice");
    query[name] = value;
  }
  return query;
}

/** Refuses what is not percent-encoded UTF-8, or holds a NUL character. */
function checkEncoding(text: string): void {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    throw badField(
      "url",
      "is not well-formed: a percent sign must be followed by two hexadecimal digits of UTF-8",
    );
  }
  if (decoded.includes("\0")) throw badField("url", "must not hold a NUL character");
}
