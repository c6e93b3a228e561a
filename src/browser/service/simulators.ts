import type { PoolTask, Printable, PrintThread, SimulationThreads } from "../../service/index.ts";
import type { PrintOutcome, RunOutcome } from "../../service/workers/messages.ts";
import { openThread, type Thread } from "../threads.ts";

/** Loads and compiles the simulator's kernels from a folder. Throws an Error that names the missing part if they cannot be had. */
export async function loadKernels(base: URL) {
  let plain: WebAssembly.Module | undefined;
  /** Loads those with plain SIMD, which round alike on every machine; once, where that does not fail. */
  async function loadPlain(): Promise<WebAssembly.Module> {
    plain ??= await load(new URL("kernels-plain.wasm", base));
    if (plain) return plain;
    throw new Error("This browser runs no WebAssembly with SIMD and threads. Use a newer one.");
  }
  /** Those with relaxed SIMD where the browser has it, else the plain ones. */
  const fastest = (await load(new URL("kernels.wasm", base))) ?? (await loadPlain());
  return { fastest, loadPlain };
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

/** Functions of a worker: first it gets its kernels, then one task after the other. */
export interface SimulatorThread {
  provideKernels(fastest: WebAssembly.Module): void;
  /** A run that is to round alike everywhere comes with the kernels of plain SIMD. */
  run(task: PoolTask, control: SharedArrayBuffer | null, plain?: WebAssembly.Module): RunOutcome;
  print(task: Printable): PrintOutcome;
}

/** Functions of the owner of a worker, by which it tells of its task. */
export interface SimulatorOwner {
  report(fraction: number): void;
  /** Starts a thread that helps with what this worker computes. */
  startThread(data: object): void;
  endThreads(): void;
}

interface SimulatorsOptions {
  script: URL;
  threadScript: URL;
  kernels: Awaited<ReturnType<typeof loadKernels>>;
}

/** A worker, which runs one task at a time. */
interface Simulator {
  worker: Worker;
  thread: Thread<SimulatorThread>;
  threads: Worker[];
  isBusy: boolean;
  onReport(fraction: number): void;
}

/**
 * Opens the web workers in which programs run, are drawn and printed. One is started for a task that finds none idle; the
 * pool and the printer limit how many tasks there are.
 */
export function openSimulators({
  script,
  threadScript,
  kernels,
}: SimulatorsOptions): SimulationThreads & PrintThread {
  const slots = navigator.hardwareConcurrency || 1;
  const all = new Set<Simulator>();

  function start(): Simulator {
    const worker = new Worker(script, { type: "module", name: "Ketbook simulator" });
    const owner: SimulatorOwner = {
      report: fraction => simulator.onReport(fraction),
      startThread: data => startThread(simulator, data),
      endThreads: () => endThreads(simulator),
    };
    const thread = openThread<SimulatorThread>(worker, owner);
    const simulator: Simulator = { worker, thread, threads: [], isBusy: false, onReport() {} };
    worker.onerror = event => {
      event.preventDefault();
      const why = event.message || "its script could not be loaded";
      end(simulator);
      thread.fail(new Error(`A simulator broke down: ${why}.`));
    };
    thread.tell("provideKernels", kernels.fastest);
    all.add(simulator);
    return simulator;
  }

  /** Starts a thread that helps a worker. There are no more of them in all than could run at a time. */
  function startThread({ threads }: Simulator, data: object): void {
    if (Array.from(all, each => each.threads).flat().length + 1 >= slots) return;
    const thread = new Worker(threadScript, { type: "module", name: "Ketbook simulator's thread" });
    thread.onerror = event => event.preventDefault();
    thread.postMessage(data);
    threads.push(thread);
  }

  function endThreads({ threads }: Simulator): void {
    for (const thread of threads.splice(0)) thread.terminate();
  }

  function end(simulator: Simulator): void {
    simulator.worker.terminate();
    endThreads(simulator);
    all.delete(simulator);
  }

  async function perform<T>(
    task: (thread: Simulator["thread"]) => Promise<T>,
    signal: AbortSignal,
    onReport: (fraction: number) => void,
  ): Promise<T> {
    signal.throwIfAborted();
    const simulator = Array.from(all).find(({ isBusy }) => !isBusy) ?? start();
    const abort = () => {
      end(simulator);
      simulator.thread.fail(signal.reason);
    };
    Object.assign(simulator, { isBusy: true, onReport });
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await task(simulator.thread);
    } finally {
      signal.removeEventListener("abort", abort);
      simulator.isBusy = false;
    }
  }

  return {
    slots,
    isShared: globalThis.crossOriginIsolated === true,
    async run(task, { control, signal, onStart, onProgress }) {
      const plain = task.precision === "reproducible" ? await kernels.loadPlain() : undefined;
      return perform(
        thread => thread.ask("run", task, control, plain),
        signal,
        fraction => (fraction < 0 ? onStart(performance.now()) : onProgress(fraction)),
      );
    },
    print: (task, { signal, onStart }) => perform(thread => thread.ask("print", task), signal, onStart),
    async close() {
      all.forEach(end);
    },
  };
}
