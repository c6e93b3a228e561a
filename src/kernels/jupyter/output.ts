import { ChildProcess } from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { setTimeout } from "node:timers";
import type { StreamName } from "../session/streams.ts";

export function redirectStreams(write: (stream: StreamName, text: string) => void): void {
  for (const stream of ["stdout", "stderr"] as const) {
    const decoder = new StringDecoder("utf8");
    type Written = (error?: Error | null) => void;
    process[stream].write = (
      chunk: string | Uint8Array,
      encoding?: BufferEncoding | Written,
      callback?: Written,
    ) => {
      write(stream, typeof chunk === "string" ? chunk : decoder.write(Buffer.from(chunk)));
      const written = typeof encoding === "function" ? encoding : callback;
      if (written) process.nextTick(written, null);
      return true;
    };
  }
}

type WriteArguments = [
  fd: number,
  data: unknown,
  offset?: number | null | { offset?: number; length?: number },
  length?: unknown,
];

/** Makes what `fs.writeSync` writes to the descriptors 1 and 2 arrive where the cells' other output does. */
export function takeDescriptorOutput(): void {
  const writeSync = fs.writeSync as (...values: unknown[]) => number;
  const capture = (...values: WriteArguments): number => {
    const [fd, data] = values;
    if ((fd !== 1 && fd !== 2) || !(typeof data === "string" || ArrayBuffer.isView(data)))
      return writeSync(...values);
    const bytes = bytesOf(values);
    process[fd === 1 ? "stdout" : "stderr"].write(bytes);
    return bytes.length;
  };
  fs.writeSync = capture as typeof fs.writeSync;
  syncBuiltinESMExports();
}

/** Returns the bytes that a call of `fs.writeSync` names: a string in its encoding, or a range of a view. */
function bytesOf([, data, from, length]: WriteArguments): Buffer {
  if (typeof data === "string") return Buffer.from(data, length as BufferEncoding | undefined);
  const view = data as NodeJS.ArrayBufferView;
  const range = typeof from === "object" && from !== null ? from : { offset: from ?? 0, length };
  const start = range.offset ?? 0;
  const end = typeof range.length === "number" ? start + range.length : view.byteLength;
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength).subarray(start, end);
}

/** A file descriptor of a child, and the stream of the kernel that it was to inherit. */
interface Inherited {
  fd: number;
  to: StreamName;
}

/** Arguments of Node's own binding for synchronous child processes. */
interface SyncOptions {
  stdio: { type: string; fd?: number }[];
  maxBuffer?: number;
}

/** Time to read a child's remaining output; processes that it leaves behind are not waited for. */
const DRAIN_TIMEOUT_MS = 200;

/** Hears that a child is waited for synchronously, beside others that run, and that it has ended. */
type Waits = (beside: readonly number[] | undefined) => void;

/**
 * Makes what child processes write to an output that they inherit arrive where the cells' own output does. The input
 * that they inherit is empty.
 */
export function takeChildOutput(waits: Waits): void {
  const running = new Set<number>();
  const prototype = ChildProcess.prototype as unknown as {
    spawn(this: ChildProcess, options: { stdio?: unknown }): number;
  };
  const { spawn } = prototype;
  prototype.spawn = function (options) {
    const inherited: Inherited[] = [];
    const { stdio } = options;
    const entries: unknown[] = Array.isArray(stdio) ? stdio : stdio === "inherit" ? [0, 1, 2] : [];
    const redirected = entries.map((entry, fd) => {
      const from = entry === "inherit" ? fd : entry instanceof Object && "fd" in entry ? entry.fd : entry;
      if (from === 0) return "ignore";
      if (from !== 1 && from !== 2) return entry;
      inherited.push({ fd, to: nameOf(from) });
      return "pipe";
    });
    const result = spawn.call(this, entries.length > 0 ? { ...options, stdio: redirected } : options);
    if (inherited.length > 0) forward(this, inherited);
    const { pid } = this;
    if (pid !== undefined) {
      running.add(pid);
      this.once("exit", () => running.delete(pid));
    }
    return result;
  };
  takeSynchronousOutput(running, waits);
}

const nameOf = (fd: number): StreamName => (fd === 1 ? "stdout" : "stderr");

/** Hands on what a child writes. Its end is heard of when everything that it has written is there. */
function forward(child: ChildProcess, inherited: readonly Inherited[]): void {
  let open = 0;
  let exit: (() => void) | undefined;
  for (const { fd, to } of inherited) {
    const source = child.stdio[fd] as Readable | null;
    Object.assign(child.stdio, { [fd]: null });
    if (fd === 1 || fd === 2) Object.assign(child, { [nameOf(fd)]: null });
    if (!source) continue;
    open += 1;
    source.on("data", data => process[to].write(data));
    source.once("close", () => {
      open -= 1;
      if (open === 0) exit?.();
    });
  }
  const emit = child.emit.bind(child) as (event: string, ...values: unknown[]) => boolean;
  child.emit = (event: string, ...values: unknown[]) => {
    if (event === "exit" && open > 0) {
      exit = () => {
        exit = undefined;
        emit(event, ...values);
      };
      setTimeout(() => exit?.(), DRAIN_TIMEOUT_MS);
      return true;
    }
    if (event === "close") exit?.();
    return emit(event, ...values);
  };
}

/** Does the same for `spawnSync`, `execSync` and `execFileSync`, whose output arrives when the child has ended. */
function takeSynchronousOutput(running: ReadonlySet<number>, waits: Waits): void {
  const { binding } = process as unknown as {
    binding(name: string): { spawn(options: SyncOptions): { output: (Buffer | null)[] | null } };
  };
  const native = binding("spawn_sync");
  const { spawn } = native;
  const spawnAndWait: typeof spawn = options => {
    waits([...running]);
    const result = spawn(options);
    waits(undefined);
    return result;
  };
  native.spawn = options => {
    const inherited: Inherited[] = [];
    const stdio = options.stdio.map((entry, at) => {
      const { type, fd = -1 } = entry;
      if (!/^(?:inherit|fd)$/.test(type) || fd < 0 || fd > 2) return entry;
      if (fd === 0) return { type: "ignore" };
      inherited.push({ fd: at, to: nameOf(fd) });
      return { type: "pipe", readable: false, writable: true };
    });
    if (inherited.length === 0) return spawnAndWait({ ...options, stdio });
    const result = spawnAndWait({ ...options, stdio, maxBuffer: Number.POSITIVE_INFINITY });
    for (const { fd, to } of inherited) {
      const written = result.output?.[fd];
      if (written && written.length > 0) process[to].write(written);
      if (result.output) result.output[fd] = null;
    }
    return result;
  };
}
