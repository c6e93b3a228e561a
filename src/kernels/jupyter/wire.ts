import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import type { Duplex } from "node:stream";
import { attempted } from "../../host/attempted.ts";
import type { Request } from "./requests.ts";

/** A message that was read: a request, or what answers one. */
export interface Received extends Request {
  /** Header of the request that it answers. */
  parent: Record<string, unknown>;
  /** Whether the content is longer than the reader takes, and empty therefore. */
  isTooLong: boolean;
}

export type Frames = (Uint8Array | string)[];

const DELIMITER = "<IDS|MSG>";
const MAX_SEEN = 10_000;
const VERSION = "5.4";
const EMPTY = Buffer.from("{}");

/** Reads and writes the signed messages of a side of a connection, by default the kernel's. A message that has been read is not read again. */
export function openWire(key: string, username = "kernel", maxBytes = Number.POSITIVE_INFINITY) {
  const session = randomUUID();
  const seen = new Set<string>();

  function sign(parts: readonly (Uint8Array | string)[]): string {
    if (key === "") return "";
    const hmac = createHmac("sha256", key);
    for (const part of parts) hmac.update(part);
    return hmac.digest("hex");
  }

  return {
    /** Returns undefined for anything that is not a message signed with the connection's key. */
    read(frames: readonly Buffer[]): Received | undefined {
      const start = frames.findIndex(frame => frame.toString("latin1") === DELIMITER);
      const [signature, ...parts] = frames.slice(start + 1);
      const [header, parent, , content] = parts;
      if (start < 0 || !signature || !header || !parent || !content) return undefined;
      const expected = Buffer.from(sign(parts));
      if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined;
      const mark = signature.toString("latin1");
      if (key !== "" && seen.has(mark)) return undefined;
      seen.add(mark);
      if (seen.size > MAX_SEEN) seen.delete(seen.values().next().value!);
      const isTooLong = content.length > maxBytes;
      const [fields, above, said] = [header, parent, isTooLong ? EMPTY : content].map(fieldsOf);
      if (!fields || !above || !said) return undefined;
      const identities = frames.slice(0, start);
      return {
        type: String(fields.msg_type),
        content: said,
        identities,
        header: fields,
        parent: above,
        isTooLong,
      };
    },
    /** A message that answers a request, or follows from it; to where the request came from, or with a topic. */
    write(
      type: string,
      content: object,
      parent: Request | undefined,
      to: readonly (Uint8Array | string)[],
      metadata: object = {},
    ): Frames {
      const header = {
        msg_id: randomUUID(),
        session,
        username,
        date: new Date().toISOString(),
        msg_type: type,
        version: VERSION,
      };
      const parts = [header, parent?.header ?? {}, metadata, content].map(part => JSON.stringify(part));
      return [...to, DELIMITER, sign(parts), ...parts];
    },
  };
}

type Fields = Record<string, unknown>;

function fieldsOf(frame: Buffer): Fields | undefined {
  const value: unknown = attempted(() => JSON.parse(frame.toString("utf8")));
  return typeof value === "object" && value !== null ? (value as Fields) : undefined;
}

/** Sends messages through a stream between two processes of a kernel, as lines of JSON, and hands on those that arrive. */
export function openFraming<Sent, Received>(
  stream: Duplex,
  receive: (message: Received) => void,
): (message: Sent) => void {
  let parts: string[] = [];
  stream.setEncoding("utf8").on("data", (text: string) => {
    const [first = "", ...lines] = text.split("\n");
    parts.push(first);
    for (const line of lines) {
      receive(JSON.parse(parts.join("")));
      parts = [line];
    }
  });
  return message => void stream.write(`${JSON.stringify(message)}\n`);
}
