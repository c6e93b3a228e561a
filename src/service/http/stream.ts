import { nextTurn } from "#host";
import type { Content } from "./operation.ts";

const encoder = new TextEncoder();

/** Characters that are encoded and written at a time. */
const CHUNK_LENGTH = 64 * 1024;

/**
 * Turns content into a body: strings into one while they are short, else into a stream that is written as it is read.
 * A stream is passed on unchanged.
 */
export async function toBody(content: Content): Promise<string | ReadableStream<Uint8Array>> {
  if (content instanceof ReadableStream) return content;
  const pieces = Symbol.iterator in content ? content[Symbol.iterator]() : content[Symbol.asyncIterator]();
  let start = "";
  for (;;) {
    const next = pieces.next();
    const { done, value } = next instanceof Promise ? await next : next;
    if (done) return start;
    start += value;
    if (start.length >= CHUNK_LENGTH) return toStream(encode(start, pieces));
  }
}

async function* encode(
  start: string,
  pieces: Iterator<string> | AsyncIterator<string>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let piece = start; ; ) {
      for (const chunk of splitChunks(piece)) yield encoder.encode(chunk);
      await takeTurn();
      const { done, value } = await pieces.next();
      if (done) return;
      piece = value;
    }
  } finally {
    await pieces.return?.();
  }
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

/** Splits a string so that no chunk is long, and no character is split. */
function* splitChunks(piece: string): Generator<string> {
  for (let start = 0; start < piece.length; ) {
    let end = Math.min(piece.length, start + CHUNK_LENGTH);
    if (end < piece.length && /[\uD800-\uDBFF]/.test(piece[end - 1]!)) end += 1;
    yield piece.slice(start, end);
    start = end;
  }
}

/** Those who wait, by user; the user whose turn is next comes first. */
const waiting = new Map<number, (() => void)[]>();

/**
 * Waits for a turn at work that keeps the thread busy for some milliseconds. Turns are taken one after another, and what
 * came in from outside is seen to in between, so many such requests at once make no other request wait for all.
 * They go round the users, so one who has many requests makes no other user wait for all of them.
 */
export function takeTurn(userId = 0): Promise<void> {
  return new Promise(resolve => {
    const mine = waiting.get(userId);
    if (mine) mine.push(resolve);
    else waiting.set(userId, [resolve]);
    if (!mine && waiting.size === 1) nextTurn(next);
  });
}

function next(): void {
  for (const [userId, mine] of waiting) {
    waiting.delete(userId);
    mine.shift()!();
    if (mine.length > 0) waiting.set(userId, mine);
    break;
  }
  if (waiting.size > 0) nextTurn(next);
}
