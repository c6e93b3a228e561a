import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import type { Request } from "./messages.ts";

/** A message of the kernel. */
export type Frames = (Uint8Array | string)[];

/** Reads signed messages and writes them. */
export interface Wire {
  /** Returns undefined for anything that is not a message signed with the connection's key. */
  read(frames: readonly Buffer[]): Request | undefined;
  /** A message that answers a request, or follows from it; to where the request came from, or with a topic. */
  write(
    type: string,
    content: object,
    parent: Request | undefined,
    to: readonly (Uint8Array | string)[],
  ): Frames;
}

const DELIMITER = "<IDS|MSG>";
const MAX_SEEN = 10_000;
const VERSION = "5.4";

/** Opens the kernel's side of a connection. A message that has been read is not read again. */
export function openWire(key: string): Wire {
  const session = randomUUID();
  const seen = new Set<string>();

  function sign(parts: readonly (Uint8Array | string)[]): string {
    if (key === "") return "";
    const hmac = createHmac("sha256", key);
    for (const part of parts) hmac.update(part);
    return hmac.digest("hex");
  }

  return {
    read(frames) {
      const start = frames.findIndex(frame => frame.toString("latin1") === DELIMITER);
      const [signature, ...parts] = frames.slice(start + 1);
      const [header, , , content] = parts;
      if (start < 0 || !signature || !header || !content) return undefined;
      const expected = Buffer.from(sign(parts));
      if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined;
      const mark = signature.toString("latin1");
      if (key !== "" && seen.has(mark)) return undefined;
      seen.add(mark);
      if (seen.size > MAX_SEEN) seen.delete(seen.values().next().value!);
      const read = { header: fieldsOf(header), content: fieldsOf(content) };
      if (!read.header || !read.content) return undefined;
      const { header: fields, content: said } = read as { header: Fields; content: Fields };
      return {
        type: String(fields.msg_type),
        content: said,
        identities: frames.slice(0, start),
        header: fields,
      };
    },
    write(type, content, parent, to) {
      const header = {
        msg_id: randomUUID(),
        session,
        username: "kernel",
        date: new Date().toISOString(),
        msg_type: type,
        version: VERSION,
      };
      const parts = [header, parent?.header ?? {}, {}, content].map(part => JSON.stringify(part));
      return [...to, DELIMITER, sign(parts), ...parts];
    },
  };
}

type Fields = Record<string, unknown>;

function fieldsOf(frame: Buffer): Fields | undefined {
  try {
    const value: unknown = JSON.parse(frame.toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}
