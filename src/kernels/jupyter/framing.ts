import type { Duplex } from "node:stream";
import { deserialize, serialize } from "node:v8";

const LENGTH_BYTES = 4;

/** Sends messages through a stream, and hands on those that arrive. */
export function openFraming<Sent, Received>(
  stream: Duplex,
  receive: (message: Received) => void,
): (message: Sent) => void {
  let parts: Buffer[] = [];
  let size = 0;
  let wanted = LENGTH_BYTES;
  stream.on("data", (chunk: Buffer) => {
    parts.push(chunk);
    size += chunk.length;
    if (size < wanted) return;
    let rest = Buffer.concat(parts);
    for (;;) {
      wanted = LENGTH_BYTES + (rest.length < LENGTH_BYTES ? 0 : rest.readUInt32LE());
      if (rest.length < wanted || wanted === LENGTH_BYTES) break;
      receive(deserialize(rest.subarray(LENGTH_BYTES, wanted)));
      rest = rest.subarray(wanted);
    }
    parts = [rest];
    size = rest.length;
  });
  return message => {
    const body = serialize(message);
    const head = Buffer.alloc(LENGTH_BYTES);
    head.writeUInt32LE(body.length);
    stream.write(Buffer.concat([head, body]));
  };
}
