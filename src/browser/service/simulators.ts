import type { PoolTask, Printable, PrintThread, SimulationThreads } from "../../service/index.ts";
import type { PrintOutcome, RunOutcome } from "../../service/workers/messages.ts";

/** The simulator's kernels. */
interface Kernels {
  /** Those with relaxed SIMD where the browser has it, else the plain ones. */
  fastest: WebAssembly.Module;
  /** Loads those with plain SIMD, which round alike on every machine; once, where that does not fail. */
  loadPlain(): Promise<WebAssembly.Module>;
}

/**
 * Loads and compiles the simulator's kernels from a folder. Throws an Error that names the missing part if they cannot
 * be had.
 */
export async function loadKernels(base: URL): Promise<Kernels> {
  let plain: WebAssembly.Module | undefined;
  async function loadPlain(): Promise<WebAssembly.Module> {
    plain ??= await load(new URL("kernels-plain.wasm", base));
    if (plain) return plain;
    throw new Error("This browser runs no WebAssembly with SIMD and threads. Use a newer one.");
  }
  return { fastest: (await load(new URL("kernels.wasm", base))) ?? (await loadPlain()), loadPlain };
}

/** Loads and compiles a module; undefined where the browser can't run it. */
async function load(file: URL): Promise<WebAssembly.Module | undefined> {
  const response = await fetch(file);
  if (!response.ok)
    throw new Error(
      `The simulator's kernels could not be loaded: ${file.pathname} answers ${response.status}.`,
    );
  const bytes = await response.arrayBuffer();
  return WebAssembly.validate(bytes) ? WebAssembly.compile(bytes) : undefined;
}

/** Task of a worker. */
export type SimulatorTask =
  /** A run that is to round alike everywhere comes with the kernels of plain SIMD. */
  | { kind: "run"; task: PoolTask; control: SharedArrayBuffer | null; plain?: WebAssembly.Module }
  | { kind: "print"; task: Printable };

/** Messages to a worker: first its kernels, then one task after the other. */
export type ToSimulator = { kind: "kernels"; fastest: WebAssembly.Module } | SimulatorTask;

/** Messages from a worker: progress, and the result of its task. */
export type FromSimulator =
  /** Asks for a thread that helps with what this worker computes. */
  | { kind: "start-thread"; data: object }
  /** Says that the threads that were started for it are needed no more. */
  | { kind: "end-threads" }
  | { kind: "report"; fraction: number }
  | { kind: "outcome"; outcome: RunOutcome | PrintOutcome }
  | { kind: "error"; message: string; stack: string | undefined };

interface SimulatorsOptions {
  /** Address of the built script of a simulator's worker. */
  script: URL;
  /** Address of the built script of a thread that helps a simulator. */
  threadScript: URL;
  kernels: Kernels;
}

/** A task that waits for a worker, or runs in one. */
interface Pending {
  task: SimulatorTask;
  signal: AbortSignal;
  onReport(fraction: number): void;
  resolve(outcome: RunOutcome | PrintOutcome): void;
  reject(reason: unknown): void;
}

/** Opens the web workers in which programs run, are drawn and printed. Each is started when it is first needed. */
export function openSimulators({
  script,
  threadScript,
  kernels,
}: SimulatorsOptions): SimulationThreads & PrintThread {
  const slots = navigator.hardwareConcurrency || 1;
  const max = slots + 2;
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const waiting: Pending[] = [];
  const threads = new Map<Worker, Worker[]>();

  function start(): Worker {
    const worker = new Worker(script, { type: "module", name: "Ketbook simulator" });
    worker.postMessage({ kind: "kernels", fastest: kernels.fastest } satisfies ToSimulator);
    all.add(worker);
    return worker;
  }

  /** Starts a thread that helps a worker. There are no more of them in all than could run at a time. */
  function startThread(worker: Worker, data: object): void {
    if ([...threads.values()].flat().length + 1 >= slots) return;
    const thread = new Worker(threadScript, { type: "module", name: "Ketbook simulator's thread" });
    thread.onerror = event => event.preventDefault();
    thread.postMessage(data);
    threads.set(worker, [...(threads.get(worker) ?? []), thread]);
  }

  function endThreads(worker: Worker): void {
    for (const thread of threads.get(worker) ?? []) thread.terminate();
    threads.delete(worker);
  }

  function end(worker: Worker): void {
    worker.terminate();
    endThreads(worker);
    all.delete(worker);
  }

  function next(): void {
    while (waiting.length > 0) {
      const worker = idle.pop() ?? (all.size < max ? start() : undefined);
      if (!worker) return;
      perform(worker, waiting.shift()!);
    }
  }

  function perform(worker: Worker, { task, signal, onReport, resolve, reject }: Pending): void {
    const finish = (isUsable: boolean) => {
      signal.removeEventListener("abort", abort);
      worker.onmessage = null;
      worker.onerror = null;
      if (isUsable) idle.push(worker);
      else end(worker);
      next();
    };
    const abort = () => {
      finish(false);
      reject(signal.reason);
    };
    worker.onmessage = ({ data }: MessageEvent<FromSimulator>) => {
      if (data.kind === "report") return onReport(data.fraction);
      if (data.kind === "start-thread") return startThread(worker, data.data);
      if (data.kind === "end-threads") return endThreads(worker);
      finish(true);
      if (data.kind === "outcome") resolve(data.outcome);
      else reject(Object.assign(new Error(data.message), { stack: data.stack }));
    };
    worker.onerror = event => {
      event.preventDefault();
      finish(false);
      reject(new Error(`A simulator broke down: ${event.message || "its script could not be loaded"}.`));
    };
    signal.addEventListener("abort", abort, { once: true });
    worker.postMessage(task satisfies ToSimulator);
  }

  function submit<T extends RunOutcome | PrintOutcome>(
    task: SimulatorTask,
    signal: AbortSignal,
    onReport: (fraction: number) => void = () => {},
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<RunOutcome | PrintOutcome>();
    const pending: Pending = { task, signal, onReport, resolve, reject };
    const leave = () => {
      const place = waiting.indexOf(pending);
      if (place < 0) return;
      waiting.splice(place, 1);
      reject(signal.reason);
    };
    if (signal.aborted) reject(signal.reason);
    else {
      signal.addEventListener("abort", leave, { once: true });
      waiting.push(pending);
      next();
    }
    return promise.finally(() => signal.removeEventListener("abort", leave)) as Promise<T>;
  }

  return {
    slots,
    isShared: globalThis.crossOriginIsolated === true,
    run(task, { control, signal, onStart, onProgress }) {
      const start = (kernels: { plain?: WebAssembly.Module } = {}) =>
        submit<RunOutcome>({ kind: "run", task, control, ...kernels }, signal, fraction =>
          fraction < 0 ? onStart(performance.now()) : onProgress(fraction),
        );
      return task.precision === "reproducible"
        ? kernels.loadPlain().then(plain => start({ plain }))
        : start();
    },
    print: (task, { signal, onStart }) => submit({ kind: "print", task }, signal, onStart),
    async close() {
      for (const worker of [...all]) end(worker);
      idle.length = 0;
    },
  };
}
