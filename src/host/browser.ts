/** Characters up to which a decoder costs more than it saves. */
const SHORT = 64;
const decoder = new TextDecoder();

export function asciiString(codes: Uint8Array, start = 0, end = codes.length): string {
  if (end - start > SHORT) return decoder.decode(codes.subarray(start, end));
  let text = "";
  for (let at = start; at < end; at++) text += String.fromCharCode(codes[at]!);
  return text;
}

const CHUNK_BYTES = 0x8000;
const encoder = new TextEncoder();

export const utf8Length = (text: string): number => encoder.encode(text).length;

export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

export function toBase64(data: string | Uint8Array): string {
  const bytes = typeof data === "string" ? encoder.encode(data) : data;
  let characters = "";
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    characters += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  return btoa(characters);
}

const BLOCK_BYTES = 64;

/** The first 32 bits of the fractional parts of roots of the first primes. */
function rootsOfPrimes(count: number, root: (prime: number) => number): Uint32Array {
  const found = new Uint32Array(count);
  for (let candidate = 2, at = 0; at < count; candidate++) {
    let divisor = 2;
    while (candidate % divisor !== 0) divisor++;
    if (divisor === candidate) found[at++] = (root(candidate) % 1) * 2 ** 32;
  }
  return found;
}

const ROUND_CONSTANTS = rootsOfPrimes(64, Math.cbrt);
const INITIAL_STATE = rootsOfPrimes(8, Math.sqrt);

const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** Returns the SHA-256 of bytes, as FIPS 180-4 has it. Browsers' own digests are asynchronous. */
function digest(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = INITIAL_STATE.slice();
  const words = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += BLOCK_BYTES) {
    for (let at = 0; at < 16; at++) words[at] = view.getUint32(block + 4 * at);
    for (let at = 16; at < 64; at++) {
      const early = words[at - 15]!;
      const late = words[at - 2]!;
      const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
      const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
      words[at] = words[at - 16]! + first + words[at - 7]! + second;
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    for (let at = 0; at < 64; at++) {
      const choice = (e & f) ^ (~e & g);
      const upper =
        (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + ROUND_CONSTANTS[at]! + words[at]!) | 0;
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const lower = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + upper) | 0, c, b, a, (upper + lower) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => {
      state[at]! += word;
    });
  }
  const result = new Uint8Array(32);
  const out = new DataView(result.buffer);
  for (const [at, word] of state.entries()) out.setUint32(4 * at, word);
  return result;
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");

export const sha256 = (text: string): Uint8Array => digest(encoder.encode(text));

export const sha256Hex = (text: string): string => hexOf(sha256(text));

export const sha256Base64 = (text: string): string => btoa(String.fromCharCode(...sha256(text)));

export function hmacSha256Hex(key: string, text: string): string {
  const bytes = encoder.encode(key);
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(bytes.length > BLOCK_BYTES ? digest(bytes) : bytes);
  const keyed = (mask: number, message: Uint8Array) =>
    digest(Uint8Array.from([...block.map(byte => byte ^ mask), ...message]));
  return hexOf(keyed(0x5c, keyed(0x36, encoder.encode(text))));
}

export function equalsInConstantTime(first: string, second: string): boolean {
  let difference = first.length ^ second.length;
  for (let at = 0; at < first.length; at++) difference |= first.charCodeAt(at) ^ second.charCodeAt(at);
  return difference === 0;
}

/** Throws, since a page has no files by path. */
export function readTextFile(path: string): string {
  throw new Error(`A page reads no files of this computer, such as ${path}.`);
}

export { formatWithOptions, inspect, stripVTControlCharacters } from "node-inspect-extracted";

export const isPromise = (value: unknown): value is Promise<unknown> => value instanceof Promise;

export const isNativeError = (value: unknown): value is Error => value instanceof Error;

/** Returns how wide the terminal is; a page has none. */
export const terminalColumns = (): number | undefined => undefined;

/** Warns of something where the user sees it. */
export function warn(text: string): void {
  // biome-ignore lint/suspicious/noConsole: where cells run, the console is what they write to.
  console.warn(text);
}

/** Compiled kernels of the simulator. */
export interface ProvidedKernels {
  fastest?: WebAssembly.Module;
  /** Those with plain SIMD, which round alike on every machine. */
  plain?: WebAssembly.Module;
}

const provided: ProvidedKernels = {};

/** Provides kernels, which a page loads before it simulates with them. */
export function provideKernels(kernels: ProvidedKernels): void {
  Object.assign(provided, kernels);
}

/** Returns the compiled kernels, or those with plain SIMD. Throws an Error where they were not provided. */
export function kernelModule(isPlain: boolean): WebAssembly.Module {
  const module = isPlain ? provided.plain : provided.fastest;
  if (module) return module;
  throw new Error(
    "The simulator's kernels are not loaded. Call loadKernels() before a program is simulated.",
  );
}

export const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), byte => byte.toString(16).padStart(2, "0")).join(
    "",
  );

export const randomUint32 = (): number => crypto.getRandomValues(new Uint32Array(1))[0]!;

export interface Thread {
  end(): void;
}

/** Starts threads on behalf of a worker that computes. */
export interface ThreadStarter {
  /** Number of threads of a simulation. */
  processors: number;
  start(data: object): Thread;
}

let starter: ThreadStarter | undefined;

/**
 * Provides what starts threads. A worker's own would not begin before the worker is idle, when its simulation has ended,
 * so that another one has to start them.
 */
export function provideThreads(given: ThreadStarter): void {
  starter = given;
}

/** Returns how many threads a simulation uses: one where none are provided. */
export const processors = (): number => starter?.processors ?? 1;

/** Memory that a page is taken to have, which no browser tells. */
const ASSUMED_BYTES = 2 ** 31;

export const availableMemory = (): number => ASSUMED_BYTES;

/** Lets other threads go before this one: a browser has no priorities of threads. */
export function lowerPriority(): void {}

/** Asks for a thread that helps this one. Throws an Error where none are provided. */
export function startSimulationThread(data: object, _onError: () => void): Thread {
  if (!starter) throw new Error("No threads are provided.");
  return starter.start(data);
}

export type Timer = ReturnType<typeof setTimeout>;

/** Lets a timer not keep the process alive, and returns it: a page's never do. */
export const detach = (timer: Timer): Timer => timer;

const turns: (() => void)[] = [];
const { port1, port2 } = new MessageChannel();
const inbox: { onmessage?: unknown; unref?(): void } = port2;
inbox.onmessage = () => turns.shift()?.();
inbox.unref?.();

export function nextTurn(run: () => void): void {
  turns.push(run);
  port1.postMessage(null);
}

export interface SleepOptions {
  signal?: AbortSignal | undefined;
  ref?: boolean;
}

export function sleep(milliseconds: number, { signal }: SleepOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = () => {
      clearTimeout(timer);
      reject(new DOMException("The operation was aborted", "AbortError"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", aborted);
      resolve();
    }, milliseconds);
    if (signal?.aborted) aborted();
    else signal?.addEventListener("abort", aborted, { once: true });
  });
}
