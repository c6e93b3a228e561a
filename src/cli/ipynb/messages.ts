import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import type { Message } from "../../ipynb/message.ts";

/** Signs what goes to a kernel and checks what comes from it. */
export interface Wire {
  encode(type: string, content: object): { id: string; frames: (string | Buffer)[] };
  /** Returns undefined for anything that is not a message signed with the connection's key. */
  decode(frames: Buffer[]): Message | undefined;
}

const DELIMITER = "<IDS|MSG>";
const MAX_CONTENT_BYTES = 64_000_000;

/** Opens one session of signed messages. */
export function openWire(key: string): Wire {
  const session = randomUUID();

  function sign(parts: (string | Buffer)[]): string {
    const hmac = createHmac("sha256", key);
    for (const part of parts) hmac.update(part);
    return hmac.digest("hex");
  }

  return {
    encode(type, content) {
      const id = randomUUID();
      const date = new Date().toISOString();
      const header = { msg_id: id, session, username: "ketbook", date, msg_type: type, version: "5.3" };
      const parts = [JSON.stringify(header), "{}", "{}", JSON.stringify(content)];
      return { id, frames: [DELIMITER, sign(parts), ...parts] };
    },
    decode(frames) {
      const start = frames.findIndex(frame => frame.toString("latin1") === DELIMITER);
      const signature = frames[start + 1];
      const parts = frames.slice(start + 2);
      const [header, parent, , content] = parts;
      if (start < 0 || !signature || !header || !parent || !content) return undefined;
      const expected = Buffer.from(sign(parts));
      if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined;
      return {
        type: String(parse(header).msg_type),
        parent: parse(parent).msg_id as string | undefined,
        content: content.length > MAX_CONTENT_BYTES ? undefined : parse(content),
      };
    },
  };
}

function parse(frame: Buffer): Record<string, unknown> {
  return JSON.parse(frame.toString("utf8"));
}
