import type { Content } from "./operation.ts";

const encoder = new TextEncoder();

/** Characters that are encoded and written at a time. */
const CHUNK_LENGTH = 64 * 1024;

/**
 * Turns content into a body: strings into one while they are short, else into a stream that is written as it is read.
 * What is a stream already is passed on as it comes.
 */
export async function toBody(content: Content): Promise<string | ReadableStream<Uint8Array>> {
  if (content instanceof ReadableStream) return content;
  const chunks = splitChunks(content);
  let start = "";
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    start += next.value;
    if (start.length >= CHUNK_LENGTH) return toStream(encode(start, chunks));
  }
  return start;
}

async function* encode(start: string, rest: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  yield encoder.encode(start);
  for await (const chunk of rest) yield encoder.encode(chunk);
}

/** `ReadableStream.from`, which not every browser has. */
const toStream = (chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await chunks.return(undefined)),
  });

/** Splits pieces so that no chunk is long, and no character is split. */
async function* splitChunks(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    for (let start = 0; start < piece.length; ) {
      let end = Math.min(piece.length, start + CHUNK_LENGTH);
      if (end < piece.length && /[\uD800-\uDBFF]/.test(piece[end - 1]!)) end += 1;
      yield piece.slice(start, end);
      start = end;
    }
  }
}
