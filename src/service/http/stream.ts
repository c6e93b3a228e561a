import type { Content } from "./operation.ts";

const encoder = new TextEncoder();

/** Characters that are encoded and written at a time. */
const PIECE_LENGTH = 64 * 1024;

/**
 * Turns content into a body: strings into one while they are short, else into a stream that is written as it is read.
 * What is a stream already is passed on as it comes.
 */
export async function toBody(content: Content): Promise<string | ReadableStream<Uint8Array>> {
  if (content instanceof ReadableStream) return content;
  const parts = cut(content);
  let start = "";
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    start += next.value;
    if (start.length >= PIECE_LENGTH) return ReadableStream.from(encode(start, parts));
  }
  return start;
}

async function* encode(start: string, rest: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  yield encoder.encode(start);
  for await (const part of rest) yield encoder.encode(part);
}

/** Cuts pieces so that none is long, and no character is split. */
async function* cut(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    for (let start = 0; start < piece.length; ) {
      let end = Math.min(piece.length, start + PIECE_LENGTH);
      if (end < piece.length && /[\uD800-\uDBFF]/.test(piece[end - 1]!)) end += 1;
      yield piece.slice(start, end);
      start = end;
    }
  }
}
