import { execFileSync } from "node:child_process";
import { createHash, createHmac, hash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism, setPriority } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { types } from "node:util";
import { isMainThread, Worker } from "node:worker_threads";

const slice = (Buffer.prototype as unknown as { latin1Slice(start?: number, end?: number): string })
  .latin1Slice;

/** Returns the characters with these codes, all below 128, as a string. */
export const asciiString = (codes: Uint8Array, start = 0, end = codes.length): string =>
  slice.call(codes, start, end);

export const utf8Length = (text: string): number => Buffer.byteLength(text);

export const concatBytes = (pieces: readonly Uint8Array[]): Uint8Array => Buffer.concat(pieces);

/** Returns bytes, or those of a string in UTF-8, in base64. */
export const toBase64 = (data: string | Uint8Array): string =>
  (typeof data === "string"
    ? Buffer.from(data)
    : Buffer.from(data.buffer, data.byteOffset, data.length)
  ).toString("base64");

/** Returns the SHA-256 of a string in UTF-8. */
export const sha256 = (text: string): Uint8Array => createHash("sha256").update(text).digest();

export const sha256Hex = (text: string): string => hash("sha256", text);

export const hmacSha256Hex = (key: string, text: string): string =>
  createHmac("sha256", key).update(text).digest("hex");

/** Whether two strings of the same length are equal, in constant time. */
export const equalsInConstantTime = (first: string, second: string): boolean =>
  timingSafeEqual(Buffer.from(first), Buffer.from(second));

export const readTextFile = (path: string): string => readFileSync(path, "utf8");

export { formatWithOptions, inspect, stripVTControlCharacters } from "node:util";

/** Whether a value is a promise of the language itself, of whatever realm. */
export const { isPromise } = types;

/** Whether a value is an error of the language itself, of whatever realm. */
export const { isNativeError } = types;

/** Returns how wide the terminal is, in characters; undefined where output is none. */
export const terminalColumns = (): number | undefined => process.stdout.columns;

/** Warns of something, once for each text, where the user sees it. */
export const warn = (text: string): void => process.emitWarning(text, { type: "KetbookWarning" });

const isSource = import.meta.url.endsWith(".ts");
const compiled = new Map<boolean, WebAssembly.Module>();

/**
 * Returns the compiled kernels: those with relaxed SIMD where the engine has it, else those with plain SIMD, which round
 * alike on every machine.
 * From the sources, they are built on first use and kept in a cache.
 * Throws an Error that names the missing part if they cannot be loaded.
 */
export function kernelModule(isPlain: boolean): WebAssembly.Module {
  const known = compiled.get(isPlain);
  if (known) return known;
  const folder = isSource ? builtFolder() : new URL("./", import.meta.url);
  try {
    for (const name of isPlain ? ["kernels-plain.wasm"] : ["kernels.wasm", "kernels-plain.wasm"]) {
      const bytes = readFileSync(new URL(name, folder));
      if (WebAssembly.validate(bytes)) {
        const module = new WebAssembly.Module(bytes);
        compiled.set(isPlain, module);
        return module;
      }
    }
  } catch (error) {
    throw new Error(
      `The simulator's kernels cannot be read from ${fileURLToPath(folder)}. Install the package again, or run its build.`,
      { cause: error },
    );
  }
  throw new Error(
    `This engine (Node ${process.versions.node}) runs no WebAssembly with SIMD and threads. Use a newer Node, on a processor with SIMD.`,
  );
}

/** Returns the folder in which the kernels are kept that were built of the sources as they are. */
function builtFolder(): URL {
  const sources = new URL("../simulation/statevector/kernels/", import.meta.url);
  const builder = new URL("../simulation/statevector/build-kernels.ts", import.meta.url);
  const hash = createHash("sha256").update(readFileSync(builder));
  for (const name of readdirSync(sources).sort()) hash.update(readFileSync(new URL(name, sources)));
  const folder = new URL(
    `../../node_modules/.cache/ketbook/kernels-${hash.digest("hex").slice(0, 16)}/`,
    import.meta.url,
  );
  if (!existsSync(new URL("kernels-plain.wasm", folder)))
    execFileSync(process.execPath, [fileURLToPath(builder), fileURLToPath(folder)], { stdio: "pipe" });
  return folder;
}

/** Returns a number of cryptographically random bytes, in hexadecimal digits. */
export const randomHex = (bytes: number): string => randomBytes(bytes).toString("hex");

export const randomUint32 = (): number => randomInt(2 ** 32);

/** A thread that helps the one that started it. */
export interface Thread {
  end(): void;
}

/** Returns how many threads this machine runs at a time. */
export const processors = availableParallelism;

export const availableMemory = (): number => process.availableMemory();

/** Lowers this thread's priority, where threads have one. */
export function lowerPriority(): void {
  if (process.platform === "linux" && !isMainThread) setPriority(10);
}

/**
 * Starts a thread of the state vector simulator with what it works on; it does not keep the process alive. Throws where
 * threads cannot be started; `onError` is called where one fails later.
 */
export function startSimulationThread(workerData: object, onError: () => void): Thread {
  const name = import.meta.url.endsWith(".ts")
    ? "../simulation/statevector/thread.ts"
    : "./simulation-thread.js";
  const worker = new Worker(new URL(name, import.meta.url), { workerData });
  worker.on("error", onError);
  worker.unref();
  return { end: () => void worker.terminate() };
}

export type Timer = NodeJS.Timeout;

/** Lets a timer not keep the process alive, and returns it. */
export const detach = (timer: Timer): Timer => timer.unref();

/** Runs a function once what is under way has been done, and what came in from outside. */
export const nextTurn = (run: () => void): void => void setImmediate(run);

export interface SleepOptions {
  /** Ends the pause with an `AbortError` when it aborts. */
  signal?: AbortSignal | undefined;
  /** Whether the pause keeps the process alive. Default: true. */
  ref?: boolean;
}

export const sleep = (milliseconds: number, options: SleepOptions = {}): Promise<void> =>
  wait(milliseconds, undefined, options);
