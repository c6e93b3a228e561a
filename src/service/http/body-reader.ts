import type { Context as Call } from "hono";
import { concatBytes, nextTurn } from "#host";
import { LIMITS } from "../../contract/index.ts";
import { badField, HttpError } from "../http-error.ts";
import { createRounds } from "../pool.ts";
import type { CallState } from "./admission.ts";
import type { Content } from "./operation.ts";

const MAX_DEPTH = 64;

/** Reads the JSON body of a request; `undefined` when there is none. Its bytes count as in flight until `use` ends. */
export type BodyReader = <T>(call: Call<CallState>, use: (body: unknown) => Promise<T>) => Promise<T>;

/**
 * Makes a reader of bodies of at most `maxBytes`. Each is refused at the first byte that is too much. The large bodies of
 * all requests that are not answered have eight times that, and half of it those of one user.
 */
export function createBodyReader(maxBytes: number = LIMITS.maxBodyBytes): BodyReader {
  const maxBytesInFlight = 8 * maxBytes;
  let inFlight = 0;
  const inFlightOf = new Map<number, number>();

  async function readBytes(call: Call<CallState>, take: (bytes: number) => void): Promise<Uint8Array> {
    const guard = guardJson();
    const chunks: Uint8Array[] = [];
    let length = 0;
    const add = (chunk: Uint8Array) => {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      if (length > SMALL_BODY_BYTES) take(chunk.length);
      chunks.push(chunk);
      const isInCrumbs = chunks.length > MIN_CHUNKS + length / MIN_CHUNK_BYTES;
      const broken = isInCrumbs ? "must be sent in larger pieces" : guard(chunk);
      if (broken)
        throw new HttpError("VALIDATION_ERROR", `The request is not valid: the body ${broken}.`, {
          details: [{ path: "body", message: broken }],
          headers: CLOSE,
        });
    };
    if (Number(call.req.header("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
    try {
      for await (const chunk of call.req.raw.body ?? wholeBody(call.req.raw)) add(chunk);
    } catch (error) {
      throw error instanceof HttpError ? error : badField("body", "must be sent to its end");
    }
    return chunks.length === 1 ? chunks[0]! : concatBytes(chunks);
  }

  return async (call, use) => {
    let taken = 0;
    const user = call.get("caller").userId;
    const count = (bytes: number) => {
      taken += bytes;
      inFlight += bytes;
      const mine = (inFlightOf.get(user) ?? 0) + bytes;
      if (mine > 0) inFlightOf.set(user, mine);
      else inFlightOf.delete(user);
    };
    const take = (bytes: number) => {
      const mine = inFlightOf.get(user) ?? 0;
      if (inFlight + bytes > maxBytesInFlight || mine + bytes > maxBytesInFlight / 2) throw tooMany();
      count(bytes);
    };
    try {
      const bytes = await readBytes(call, take);
      if (bytes.length <= SMALL_BODY_BYTES) return await use(parseBody(call, bytes));
      await takeTurn(user);
      const body = parseBody(call, bytes);
      await takeTurn(user);
      return await use(body);
    } finally {
      count(-taken);
    }
  };
}

/** The body at once, of a request in a browser that has no streams of it. */
async function* wholeBody(request: Request): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(await request.arrayBuffer());
}

/** Bytes of a body that do not count as in flight, so small requests always come through. */
const SMALL_BODY_BYTES = 64 * 1024;

/**
 * Bytes that the pieces of a body must have on the average, beyond some that may be smaller: each takes much more memory
 * than it brings.
 */
const MIN_CHUNK_BYTES = 16;
const MIN_CHUNKS = 1024;

/** A connection ends with a body that was not read to its end. */
const CLOSE = { Connection: "close" };

const tooLarge = (maxBytes: number) =>
  new HttpError("PAYLOAD_TOO_LARGE", `The body is larger than ${formatMebibytes(maxBytes)} MiB.`, {
    headers: CLOSE,
  });

const tooMany = () =>
  new HttpError("RATE_LIMITED", "The service reads as many large requests as it can. Try again soon.", {
    headers: { ...CLOSE, "Retry-After": "1" },
  });

const formatMebibytes = (bytes: number) => Math.round((bytes / 2 ** 20) * 100) / 100;

function parseBody(call: Call<CallState>, bytes: Uint8Array): unknown {
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
  checkStrings(body, "");
  return body;
}

/** Refuses what would not be kept as it is: NUL characters, halves of characters, and members named `__proto__`. */
function checkStrings(value: unknown, path: string): void {
  if (typeof value === "string") checkString(value, path || "body");
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === "number" && Array.isArray(value)) continue;
    const inner = path === "" ? key : `${path}.${key}`;
    if (key === "__proto__") throw badField(inner, "must not be a name here");
    checkString(key, inner.replaceAll("\0", "\\0").toWellFormed());
    checkStrings(member, inner);
  }
}

function checkString(text: string, path: string): void {
  if (text.includes("\0")) throw badField(path, "must not hold a NUL character");
  if (!text.isWellFormed()) throw badField(path, "must be Unicode, without halves of surrogate pairs");
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** The codes of `[` and `{`, and of `]` and `}`, but for the bit in which they differ. */
const OPENING = 0x5b;
const CLOSING = 0x5d;
const BRACKET_BITS = 0xdf;

/**
 * Makes a guard that is shown a JSON text piece by piece as it comes in, and says which bound it breaks, before any
 * of it is parsed; `undefined`: none so far. Names of members count as values.
 */
function guardJson(): (piece: Uint8Array) => string | undefined {
  let values = 1;
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  return piece => {
    for (let at = 0; at < piece.length; at += 1) {
      let byte = piece[at]!;
      if (isEscaped) isEscaped = false;
      else if (isString) {
        while (byte !== QUOTE && byte !== BACKSLASH && at + 1 < piece.length) {
          at += 1;
          byte = piece[at]!;
        }
        if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isString = false;
      } else if (byte === QUOTE) isString = true;
      else if (byte === COMMA) values += 1;
      else if ((byte & BRACKET_BITS) === OPENING) {
        values += 1;
        depth += 1;
        if (depth > MAX_DEPTH) return `must not be deeper than ${MAX_DEPTH} levels`;
      } else if ((byte & BRACKET_BITS) === CLOSING) depth -= 1;
    }
    return values > LIMITS.maxBodyValues
      ? `must not hold more than ${LIMITS.maxBodyValues} values`
      : undefined;
  };
}

/** Characters up to which content is a body at once. */
const SHORT_LENGTH = 64 * 1024;

/** Turns content into a body: strings into one while they are short, else into a stream that is written as it is read. */
export async function toBody(content: Content): Promise<string | ReadableStream<Uint8Array>> {
  const pieces = Symbol.iterator in content ? content[Symbol.iterator]() : content[Symbol.asyncIterator]();
  let start = "";
  for (;;) {
    const next = pieces.next();
    const { done, value } = next instanceof Promise ? await next : next;
    if (done) return start;
    start += value;
    if (start.length >= SHORT_LENGTH) return toStream(start, pieces);
  }
}

function toStream(
  start: string,
  pieces: Iterator<string> | AsyncIterator<string>,
): ReadableStream<Uint8Array> {
  const text = new ReadableStream<string>({
    start: controller => controller.enqueue(start),
    async pull(controller) {
      await takeTurn();
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await pieces.return?.()),
  });
  return text.pipeThrough(new TextEncoderStream());
}

const turns = createRounds<() => void>();

/**
 * Waits for a turn at work that keeps the thread busy for some milliseconds. Turns are taken one after another, and what
 * came in from outside is seen to in between, so many such requests at once make no other request wait for all.
 * They go round the users, so one who has many requests makes no other user wait for all of them.
 */
export function takeTurn(userId = 0): Promise<void> {
  return new Promise(resolve => {
    if (turns.size === 0) nextTurn(next);
    turns.add(userId, resolve);
  });
}

function next(): void {
  turns.next()?.();
  if (turns.size > 0) nextTurn(next);
}
