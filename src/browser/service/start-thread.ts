import type { ToThread } from "./thread.ts";

/** The thread of a page in which its service runs, or waits until it is this tab's turn to run it. */
export interface ServiceThread {
  /** Makes a port for `openService`, here or in another worker to which it is transferred. */
  connect(): MessagePort;
  /**
   * Asks the browser never to remove what is stored, and resolves to whether it agrees. Some browsers ask the user, so
   * that this is for when the user has asked for it.
   */
  persist(): Promise<boolean>;
  /** Ends the thread. Another tab takes over; jobs that ran are queued again. */
  end(): void;
}

/** Addresses of the service's scripts. */
export interface ServiceThreadOptions {
  /** Address of the built script of the service's thread, on the page's own origin. */
  script: string | URL;
}

/** Starts the thread of a page's service; once a page. */
export function startServiceThread({ script }: ServiceThreadOptions): ServiceThread {
  const worker = new Worker(script, { type: "module", name: "Ketbook service" });
  return {
    connect() {
      const { port1, port2 } = new MessageChannel();
      worker.postMessage({ kind: "connect", port: port2 } satisfies ToThread, [port2]);
      return port1;
    },
    async persist() {
      const isPersistent = (await navigator.storage?.persist?.()) ?? false;
      worker.postMessage({ kind: "persistence" } satisfies ToThread);
      return isPersistent;
    },
    end: () => worker.terminate(),
  };
}
