import type { Context as Call } from "hono";
import { LIMITS } from "../../contract/limits.ts";
import { badField, Refusal } from "../refusal.ts";

const maxDepth = 64;

/** Reads the query; refuses what is malformed, or given twice. */
export function readQuery(url: string): Record<string, string> {
  const at = url.indexOf("?");
  if (at < 0) return {};
  const raw = url.slice(at + 1);
  decode(raw.replaceAll("+", " "));
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(raw)) {
    if (name in query) throw badField(name, "is given twice");
    if (`${name}${value}`.includes("\0"))
      throw badField(name.replaceAll("\0", ""), "must not hold a NUL character");
    query[name] = value;
  }
  return query;
}

/** Decodes a part of an address; refuses what is malformed. */
export function decode(text: string): string {
  try {
    const decoded = decodeURIComponent(text);
    if (!decoded.includes("\0")) return decoded;
  } catch {
    throw badField(
      "url",
      "is not well-formed: a percent sign must be followed by two hexadecimal digits of UTF-8",
    );
  }
  throw badField("url", "must not hold a NUL character");
}

/** Reads a JSON body of at most 32 MiB; `undefined` when there is none. */
export async function readBody(call: Call): Promise<unknown> {
  const bytes = await readBytes(call.req.raw);
  if (bytes.length === 0) return undefined;
  const type = call.req.header("content-type");
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw badField("Content-Type", "must be application/json");
  }
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw badField("body", "must be JSON, in UTF-8");
  }
  checkTexts(body, "", 0);
  return body;
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const tooLarge = () =>
    new Refusal("PAYLOAD_TOO_LARGE", `The body is larger than ${LIMITS.maxBodyBytes / 1024 / 1024} MiB.`, {
      headers: { Connection: "close" },
    });
  if (Number(request.headers.get("content-length") ?? 0) > LIMITS.maxBodyBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.length;
      if (length > LIMITS.maxBodyBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : badField("body", "must be sent to its end");
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** Refuses what a database may not be able to keep: NUL characters, and objects without end. */
function checkTexts(value: unknown, path: string, depth: number): void {
  if (depth > maxDepth) throw badField(path.slice(0, 100), `must not be deeper than ${maxDepth} levels`);
  if (typeof value === "string" && value.includes("\0")) {
    throw badField(path || "body", "must not hold a NUL character");
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const inner = path === "" ? key : `${path}.${key}`;
    if (key.includes("\0")) throw badField(inner.replaceAll("\0", "\\0"), "must not hold a NUL character");
    checkTexts(member, inner, depth + 1);
  }
}
