import type { Message } from "../ipynb/index.ts";
import type { Failure } from "../kernels/cells/index.ts";
import type { Downlevelled } from "./kernel/syntax.ts";
import type { TypeAnswer, TypeRequest, TypeRequestName, TypeRequests } from "./types/protocol.ts";

/**
 * Starts a worker of a script of the site. A blob gives it the page's policy, which lets it reach
 * no other origin. `forget` lets go of the blob's address, once the worker has been loaded.
 */
function startWorker(script: URL, name: string): { worker: Worker; forget(): void } {
  const blob = new Blob([`import ${JSON.stringify(script.href)};`], { type: "text/javascript" });
  const url = URL.createObjectURL(blob);
  const worker = new Worker(url, { type: "module", name });
  return { worker, forget: () => URL.revokeObjectURL(url) };
}

/** End of a cell's run. */
type CellEnd = {
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
  restart(): void;
  /** Ends the worker, with all variables. */
  close(): void;
}

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

/** The worker that knows types, from the side of the page. */
export interface Types {
  /** Loads the worker, once. */
  load(): void;
  isLoaded(): boolean;
  /** Asks the worker, and loads it where it is not there. Rejects where it has no answer. */
  ask<Name extends TypeRequestName>(
    type: Name,
    question: TypeRequests[Name]["question"],
  ): Promise<TypeRequests[Name]["answer"]>;
}

/** Opens the worker that knows types; its script is loaded when it is needed. `onLoad` hears when it is. */
export function openTypes(script: URL, onLoad: () => void): Types {
  const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  let worker: Worker | undefined;
  let serial = 0;

  function load(): Worker {
    if (worker) return worker;
    const started = startWorker(script, "Ketbook types");
    worker = started.worker;
    worker.onmessage = ({ data }: MessageEvent<TypeAnswer>) => {
      started.forget();
      const { resolve, reject } = waiting.get(data.id)!;
      waiting.delete(data.id);
      if ("error" in data) reject(new Error(data.error));
      else resolve(data.answer);
    };
    worker.onerror = event => {
      event.preventDefault();
      for (const { reject } of waiting.values()) reject(new Error("The types could not be loaded."));
      waiting.clear();
    };
    onLoad();
    return worker;
  }

  return {
    load: () => void load(),
    isLoaded: () => worker !== undefined,
    ask: (type, question) =>
      new Promise((resolve, reject) => {
        serial += 1;
        waiting.set(serial, { resolve: resolve as (answer: unknown) => void, reject });
        load().postMessage({ id: serial, type, question } satisfies TypeRequest);
      }),
  };
}

/** Another service than the page's own. Its key stays in this browser. */
export interface HostedService {
  url: string;
  apiKey: string;
}

/** Messages from the page to the worker that runs cells. */
export type ToKernel =
  | {
      type: "start";
      /** Port of the page's own service. */
      service: MessagePort;
      hosted: HostedService | undefined;
      /** Counts the interrupts in its first place, where the page is isolated and memory can be shared. */
      interrupts: Int32Array | undefined;
    }
  | { type: "execute"; id: number; code: string; count: number; timed: boolean }
  | { type: "interrupt" }
  /** Output of TypeScript's own compiler; undefined if unavailable. */
  | { type: "emitted"; id: number; emitted: Downlevelled | undefined };

/** Messages from that worker to the page. */
export type FromKernel =
  /** The worker has been loaded, and waits to be started. */
  | { type: "loaded" }
  | { type: "unavailable"; message: string }
  /** Requests the output of TypeScript's own compiler for a source. */
  | { type: "emit"; id: number; source: string }
  | { type: "notes"; notes: readonly string[] }
  /** A message of the Jupyter protocol that belongs to a run. */
  | { type: "publish"; id: number; message: string; content: object }
  /** A run has ended. `names` are those that cells have declared. */
  | { type: "done"; id: number; failure: Failure | undefined; names: readonly string[] }
  | { type: "download"; name: string; data: string | Uint8Array };
