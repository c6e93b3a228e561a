import { KetbookError } from "../../client/errors/index.ts";
import { openThread } from "../threads.ts";
import {
  type RequestRecord,
  type ResponseRecord,
  type ServiceStatus,
  toRequestRecord,
  toResponse,
} from "./protocol.ts";

/** Path to export and import everything that a page's service stores, with its user's key. */
export const ARCHIVE_PATH = "/local/archive";

/** Base address of version 2 of a page's service. Nothing of it goes to a network. */
export const SERVICE_URL = "http://service.localhost/api/v1";

/** Functions of the service's thread for the page that started it. */
export interface ServiceTab {
  connect(port: MessagePort): void;
  /** Finds out again whether the browser may remove what is kept. */
  checkPersistence(): Promise<void>;
}

/** Functions of the service's thread for each port. */
export interface ServicePort {
  /** Answers a request. Rejects if it was not answered, so it may have had its effect or not. */
  answer(request: RequestRecord): Promise<ResponseRecord>;
  close(): void;
}

/** Functions on the other side of each port. */
export interface ServiceListener {
  /** Hears the status, at first and whenever it changes. */
  onStatus(status: ServiceStatus): void;
  onError(message: string): void;
}

/** The service of a page: the same rules as everywhere, in a thread of the page. */
export type PageService = Awaited<ReturnType<typeof openService>>;

/**
 * Connects to the service of this page by a port of its thread, as `startServiceThread` in the page hands out. Throws a
 * `KetbookError` where the service can't be started.
 *
 * @example
 * const service = await openService(thread.connect());
 * const response = await service.send(new Request(`${service.url}/devices`));
 */
export async function openService(port: MessagePort) {
  const listeners = new Set<(status: ServiceStatus) => void>();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let current: ServiceStatus | undefined;
  const thread = openThread<ServicePort>(port, {
    onStatus(status) {
      current = status;
      for (const listener of listeners) listener(status);
      resolve();
    },
    onError: message => reject(new KetbookError(message)),
  } satisfies ServiceListener);

  async function send(request: Request): Promise<Response> {
    const { signal } = request;
    signal.throwIfAborted();
    const record = await toRequestRecord(request);
    signal.throwIfAborted();
    const { promise: aborted, reject: fail } = Promise.withResolvers<never>();
    const abort = () => fail(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    const answer = thread.ask("answer", record).then(toResponse, ({ message }: Error) => {
      throw new TypeError(message);
    });
    return Promise.race([answer, aborted]).finally(() => signal.removeEventListener("abort", abort));
  }

  const sendArchive = (init?: RequestInit) =>
    send(
      new Request(new URL(ARCHIVE_PATH, SERVICE_URL), { ...init, headers: { "x-api-key": current!.apiKey } }),
    );

  await promise;
  return {
    /** Base address of version 2, for requests to `send`. */
    url: SERVICE_URL,
    /** Current state of the service: its key, its storage, and notes for the user. */
    get status(): ServiceStatus {
      return current!;
    },
    /**
     * Answers a request as the service would over HTTP. Rejects with a `TypeError`, as `fetch` does, where the tab in
     * which the service ran was closed before it answered, and with the reason of the request's signal where that aborts.
     */
    send,
    /**
     * Exports all that the service keeps, as `ketbook export` does: jobs, results, credits and digests of keys, to be
     * imported by `ketbook import` into a data folder or a database.
     */
    async exportArchive(): Promise<Blob> {
      const response = await sendArchive();
      if (!response.ok)
        throw new KetbookError(`The service could not export what it keeps (${response.status}).`);
      return response.blob();
    },
    /**
     * Replaces everything that the service keeps by an archive of `ketbook export` or of another page; resolves to the
     * number of its jobs. Where the archive can't be read, all stays as it was. Throws a `KetbookError` that says why.
     */
    async importArchive(archive: Blob): Promise<number> {
      const response = await sendArchive({ method: "POST", body: await archive.arrayBuffer() });
      const { jobs, message } = (await response.json()) as { jobs?: number; message?: string };
      if (jobs === undefined)
        throw new KetbookError(message ?? `The archive could not be imported (${response.status}).`);
      return jobs;
    },
    /** Calls a function whenever the status changes. */
    onStatus: (listener: (status: ServiceStatus) => void) => void listeners.add(listener),
    /** Ends this connection; the service and other connections continue. */
    close() {
      thread.tell("close");
      port.close();
      thread.fail(new TypeError("The connection was closed."));
    },
  };
}

/** The thread of a page in which its service runs, or waits until it is this tab's turn to run it. */
export type ServiceThread = ReturnType<typeof startServiceThread>;

/** Starts the thread of a page's service, once per page. `script` is its built script, on the page's origin. */
export function startServiceThread(script: URL) {
  const worker = new Worker(script, { type: "module", name: "Ketbook service" });
  const thread = openThread<ServiceTab>(worker);
  return {
    /** Makes a port for `openService`, here or in another worker to which it is transferred. */
    connect() {
      const { port1, port2 } = new MessageChannel();
      thread.tell("connect", port2);
      return port1;
    },
    /**
     * Asks the browser never to remove what is stored, and resolves to whether it agrees. Some browsers ask the user, so
     * that this is for when the user has asked for it.
     */
    async persist() {
      const isPersistent = (await navigator.storage?.persist?.()) ?? false;
      thread.tell("checkPersistence");
      return isPersistent;
    },
    /** Ends the thread. Another tab takes over; jobs that ran are queued again. */
    end: () => worker.terminate(),
  };
}
