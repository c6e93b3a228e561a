import type { Message } from "../ipynb/index.ts";
import type { Failure } from "../kernels/cells/index.ts";
import type { Downlevelled } from "./kernel/syntax.ts";
import { openThread, type Thread } from "./threads.ts";
import type { TypesThread } from "./types/worker.ts";

/** Starts a worker of a script of the site. A blob gives it the page's policy, which lets it reach no other origin. */
function startWorker<T>(script: URL, name: string, own: object = {}): { worker: Worker; thread: Thread<T> } {
  const blob = new Blob([`import ${JSON.stringify(script.href)};`], { type: "text/javascript" });
  const url = URL.createObjectURL(blob);
  const worker = new Worker(url, { type: "module", name });
  return { worker, thread: openThread<T>(worker, { ...own, loaded: () => URL.revokeObjectURL(url) }) };
}

type CellEnd = {
  failure: Failure | undefined;
  names: readonly string[];
};

/** The worker that runs cells, from the side of the page. */
export type Kernel = ReturnType<typeof openKernel>;

/** Functions of the page for the worker that runs cells. */
export interface KernelPage {
  /** Has TypeScript's own compiler emit a source. */
  emit(source: string): Promise<Downlevelled>;
  onMessage(message: Message): void;
  onNotes(notes: readonly string[]): void;
  onDownload(name: string, data: string | Uint8Array): void;
}

export interface KernelOptions extends KernelPage {
  script: URL;
  hosted: HostedService | undefined;
  connect(): MessagePort;
  /** Whether a worker that does not hear an interrupt may be ended, with all variables. Default: it may. */
  mayEnd?(): Promise<boolean>;
}

export interface KernelThread {
  /** Runs a cell, and writes the time that it took where it is `timed`; the ones before it come first. */
  execute(id: number, code: string, count: number, timed?: boolean): Promise<CellEnd>;
  /**
   * Starts it with a port of the page's own service. `interrupts` counts the interrupts in its first place, where the page is
   * isolated and memory can be shared.
   */
  start(service: MessagePort, hosted: HostedService | undefined, interrupts: Int32Array | undefined): void;
  interrupt(): void;
}

const HEARS_WITHIN_MS = 600;

/** Failure of a cell whose worker was ended. */
const ENDED: Failure = {
  ename: "Interrupted",
  evalue:
    "The cell was busy and could not be stopped separately: all variables are lost. Jobs continue. Run the cells above again.",
  traceback: [],
};

export function openKernel(options: KernelOptions) {
  const { script, hosted, connect, emit, onMessage, onNotes, onDownload, mayEnd } = options;
  const running = new Set<number>();
  let { worker, thread, interrupts } = start();

  function start() {
    const page: KernelPage = { emit, onMessage, onNotes, onDownload };
    const started = startWorker<KernelThread>(script, "Ketbook kernel", page);
    const counter = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
    started.thread.tell("start", connect(), hosted, counter);
    return { ...started, interrupts: counter };
  }

  function restart(failure: Failure): void {
    worker.terminate();
    running.clear();
    const { fail } = thread;
    ({ worker, thread, interrupts } = start());
    fail(failure);
  }

  return {
    async execute(...given: Parameters<KernelThread["execute"]>): Promise<CellEnd> {
      const [id] = given;
      running.add(id);
      const end = await thread.ask("execute", ...given).catch((failure: Failure) => ({ failure, names: [] }));
      running.delete(id);
      return end;
    },
    /** Interrupts the cell that runs; ends the worker where it does not hear. Resolves with whether it was ended. */
    async interrupt(): Promise<boolean> {
      const [id] = running;
      if (id === undefined) return false;
      if (interrupts) Atomics.add(interrupts, 0, 1);
      thread.tell("interrupt");
      await new Promise(resolve => setTimeout(resolve, HEARS_WITHIN_MS));
      if (!running.has(id) || (mayEnd && !(await mayEnd())) || !running.has(id)) return false;
      restart(ENDED);
      return true;
    },
    restart: () => restart({ ename: "Restarted", evalue: "The kernel was restarted.", traceback: [] }),
    /** Ends the worker, with all variables. */
    close: () => worker.terminate(),
  };
}

/** The worker that knows types, from the side of the page. */
export type Types = ReturnType<typeof openTypes>;

/** Opens the worker that knows types; its script is loaded when it is needed. `onLoad` hears when it is. */
export function openTypes(script: URL, onLoad: () => void) {
  let opened: Thread<TypesThread> | undefined;

  function load(): Thread<TypesThread> {
    if (opened) return opened;
    const { worker, thread } = startWorker<TypesThread>(script, "Ketbook types");
    opened = thread;
    worker.onerror = event => {
      event.preventDefault();
      thread.fail(new Error("The types could not be loaded."));
    };
    onLoad();
    return thread;
  }

  return {
    /** Loads the worker, once; what is asked loads it, too. */
    load: () => void load(),
    isLoaded: () => opened !== undefined,
    ask: ((...question) => load().ask(...question)) as Thread<TypesThread>["ask"],
  };
}

/** Another service than the page's own. Its key stays in this browser. */
export interface HostedService {
  url: string;
  apiKey: string;
}
