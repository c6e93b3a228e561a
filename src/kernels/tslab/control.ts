import { Worker } from "node:worker_threads";
import type { KernelServer, TslabModules } from "./internals.ts";

/** Places in the memory that the kernel and its control channel share. */
export const SHARED = { heard: 0, guarded: 1, running: 2, closing: 3, closed: 4, size: 5 } as const;

const CLOSE_LIMIT = 500;

/** Where the control channel is, in the words of Jupyter's connection files. */
export interface Connection {
  transport: string;
  ip: string;
  control_port: number;
  key: string;
}

/** What the thread of the control channel is started with. */
export interface ControlData {
  connection: Connection;
  /** The package.json from which zeromq resolves. */
  manifest: string;
  shared: SharedArrayBuffer;
}

/** What that thread tells the kernel. */
export type ControlMessage =
  | { type: "ready" | "failed" | "interrupt" | "shutdown" }
  | { type: "request"; frames: Uint8Array[] };

/** The control channel of a kernel, which answers also while a cell keeps the kernel busy. */
export interface Control {
  /** Work that must not be broken off, such as the compiler's: an interrupt waits until it is done. */
  guard<T>(work: () => T): T;
  /** Says whether a cell runs. While none does, nothing is broken off. */
  cellRuns(runs: boolean): void;
}

const ENTRY = new URL(
  import.meta.url.endsWith(".ts") ? "./control-thread.ts" : "./tslab-control.js",
  import.meta.url,
);

/**
 * Gives the control channel to a thread of its own. Without that, tslab reads it where the cells run, and a cell
 * that computes can't be interrupted.
 */
export function hookControl(
  jupyter: TslabModules["jupyter"],
  data: Omit<ControlData, "shared">,
  interrupt: () => void,
): Control {
  const shared = new Int32Array(new SharedArrayBuffer(SHARED.size * Int32Array.BYTES_PER_ELEMENT));
  const guard: Control["guard"] = work => {
    Atomics.add(shared, SHARED.guarded, 1);
    try {
      return work();
    } finally {
      Atomics.sub(shared, SHARED.guarded, 1);
    }
  };
  const cellRuns = (runs: boolean) => void Atomics.store(shared, SHARED.running, Number(runs));
  const server = jupyter?.ZmqServer?.prototype;
  const bind = server?.bindSocket;
  if (!server || !bind) return { guard, cellRuns };

  server.bindSocket = async function (this: KernelServer, socket, port) {
    if (socket !== this.control || !(await startThread(this))) await bind.call(this, socket, port);
  };

  /** Answers whether the thread listens. It starts when the compiler has been loaded, which it would slow down. */
  function startThread(server: KernelServer): Promise<boolean> {
    const workerData: ControlData = { ...data, shared: shared.buffer as SharedArrayBuffer };
    const thread = new Worker(ENTRY, { workerData, argv: process.argv.slice(2) });
    const replies = { send: (frames: (string | Uint8Array)[]) => thread.postMessage(frames) };
    const listening = Promise.withResolvers<boolean>();
    process.on("exit", close);
    thread.on("error", () => listening.resolve(false));
    thread.on("message", (message: ControlMessage) => {
      switch (message.type) {
        case "ready":
          return listening.resolve(true);
        case "failed":
          return listening.resolve(false);
        case "interrupt":
          Atomics.add(shared, SHARED.heard, 1);
          Atomics.notify(shared, SHARED.heard);
          return interrupt();
        case "shutdown":
          return server.close();
        case "request":
          return void server.handleShellMessage(replies, ...message.frames.map(frame => Buffer.from(frame)));
      }
    });
    return listening.promise;
  }

  /** A thread that listens, or is about to, when its process ends takes that down with a crash. */
  function close(): void {
    Atomics.store(shared, SHARED.closing, 1);
    Atomics.notify(shared, SHARED.closing);
    Atomics.wait(shared, SHARED.closed, 0, CLOSE_LIMIT);
  }

  return { guard, cellRuns };
}
