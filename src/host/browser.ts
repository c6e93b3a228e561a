import { hmac } from "@noble/hashes/hmac";
import { sha256 as digest } from "@noble/hashes/sha2";
import { bytesToHex, randomBytes } from "@noble/hashes/utils";

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

export const sha256 = (text: string): Uint8Array => digest(encoder.encode(text));

export const sha256Hex = (text: string): string => bytesToHex(sha256(text));

export const hmacSha256Hex = (key: string, text: string): string =>
  bytesToHex(hmac(digest, encoder.encode(key), encoder.encode(text)));

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

export const randomHex = (bytes: number): string => bytesToHex(randomBytes(bytes));

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
