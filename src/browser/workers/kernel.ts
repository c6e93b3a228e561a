import type { Message } from "../../ipynb/message.ts";
import type { Failure } from "../../kernels/errors/failure.ts";
import type { FromKernel, HostedService, ToKernel } from "../kernel/protocol.ts";
import type { Downlevelled } from "../kernel/syntax.ts";
import { startWorker } from "./worker.ts";

/** End of a cell's run. */
export type CellEnd = {
  failure: Failure | undefined;
  /** The names that cells have declared. */
  names: readonly string[];
};

/** The worker that runs cells, from the side of the page. */
export interface Kernel {
  /** Runs a cell, and writes the time that it took where it is `timed`; the ones before it come first. */
  execute(id: number, code: string, count: number, timed?: boolean): Promise<CellEnd>;
  /** Interrupts the cell that runs; ends the worker where it does not hear. Resolves with whether it was ended. */
  interrupt(): Promise<boolean>;
  /** Ends the worker, with all variables, and starts another. */
  restart(): void;
  /** Ends the worker, with all variables. */
  close(): void;
}

/** Options of a kernel. */
export interface KernelOptions {
  /** Address of the worker's script. */
  script: URL;
  hosted: HostedService | undefined;
  /** Makes a port of the page's service. */
  connect(): MessagePort;
  /** Has TypeScript's own compiler emit a source. */
  emit(source: string): Promise<Downlevelled>;
  onMessage(message: Message): void;
  onNotes(notes: readonly string[]): void;
  onDownload(name: string, data: string | Uint8Array): void;
  /** Whether a worker that does not hear an interrupt may be ended, with all variables. Default: it may. */
  mayEnd?(): Promise<boolean>;
}

const HEARS_WITHIN_MS = 600;

/** Failure of a cell whose worker was ended. */
const ENDED: Failure = {
  ename: "Interrupted",
  evalue:
    "The cell was busy and could not be stopped separately: all variables are lost. Jobs continue. Run the cells above again.",
  traceback: [],
};

/** Starts the worker that runs cells. */
export function openKernel(options: KernelOptions): Kernel {
  const isolated = globalThis.crossOriginIsolated;
  let worker: Worker;
  let interrupts: Int32Array | undefined;
  let running = new Map<number, (end: CellEnd) => void>();

  function start(): void {
    const { worker: started, forget } = startWorker(options.script, "Ketbook kernel");
    const waiting: ToKernel[] = [];
    let isReady = false;
    worker = started;
    interrupts = isolated ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
    started.onmessage = ({ data }: MessageEvent<FromKernel>) => {
      if (data.type === "loaded") {
        forget();
        const service = options.connect();
        started.postMessage(
          { type: "start", service, hosted: options.hosted, interrupts } satisfies ToKernel,
          [service],
        );
        isReady = true;
        for (const message of waiting) started.postMessage(message);
      } else hear(data);
    };
    post = message => (isReady ? started.postMessage(message) : void waiting.push(message));
  }

  let post: (message: ToKernel) => void;

  function hear(data: FromKernel): void {
    if (data.type === "publish")
      options.onMessage({
        type: data.message,
        parent: String(data.id),
        content: data.content as Message["content"],
      });
    else if (data.type === "done") {
      running.get(data.id)?.(data);
      running.delete(data.id);
    } else if (data.type === "download") options.onDownload(data.name, data.data);
    else if (data.type === "notes") options.onNotes(data.notes);
    else if (data.type === "emit")
      void options.emit(data.source).then(
        emitted => post({ type: "emitted", id: data.id, emitted }),
        () => post({ type: "emitted", id: data.id, emitted: undefined }),
      );
    else if (data.type === "unavailable") options.onNotes([data.message]);
  }

  function restart(failure: Failure): void {
    worker.terminate();
    const ended = running;
    running = new Map();
    start();
    for (const end of ended.values()) end({ failure, names: [] });
  }

  start();
  return {
    execute: (id, code, count, timed = false) =>
      new Promise(resolve => {
        running.set(id, resolve);
        post({ type: "execute", id, code, count, timed });
      }),
    async interrupt() {
      if (running.size === 0) return false;
      const [[id] = []] = running;
      if (interrupts) Atomics.add(interrupts, 0, 1);
      post({ type: "interrupt" });
      await new Promise(resolve => setTimeout(resolve, HEARS_WITHIN_MS));
      const isBusy = () => id !== undefined && running.has(id);
      if (!isBusy() || (options.mayEnd && !(await options.mayEnd())) || !isBusy()) return false;
      restart(ENDED);
      return true;
    },
    restart: () => restart({ ename: "Restarted", evalue: "The kernel was restarted.", traceback: [] }),
    close: () => worker.terminate(),
  };
}
