import type { ServiceStatus } from "./protocol.ts";
import type { RequestRecord, ResponseRecord } from "./records.ts";

/** The service that runs in one of the tabs. */
export interface LeadingService {
  /** Returns the status to share with other tabs. */
  status(): Omit<ServiceStatus, "isHere">;
  answer(request: RequestRecord): Promise<ResponseRecord>;
}

/** Receives messages from other tabs. */
export interface TabListener {
  /** Called when the service has begun to run, here or in another tab, and when its status has changed. */
  onStatus(status: ServiceStatus): void;
  /** Called when the service could not be started here. */
  onError(error: unknown): void;
}

/** A tab among those of an origin. */
export interface Tab {
  /**
   * Has a request answered by the tab in which the service runs, once there is one. Where that tab is closed meanwhile,
   * what can safely be repeated is sent to the next one, and anything else rejects with a `TypeError`.
   */
  send(request: RequestRecord): Promise<ResponseRecord>;
  /** Tells the other tabs that the status has changed, where the service runs here. */
  tell(): void;
}

type Message =
  | { kind: "who" }
  | { kind: "leader"; leader: string; status: Omit<ServiceStatus, "isHere"> }
  | { kind: "request"; leader: string; id: string; request: RequestRecord }
  | { kind: "response"; id: string; response: ResponseRecord }
  | { kind: "failure"; id: string; message: string };

interface Pending {
  request: RequestRecord;
  /** The tab that it was sent to. */
  leader: string | undefined;
  resolve(response: ResponseRecord): void;
  reject(error: Error): void;
}

/**
 * Joins the tabs of an origin, of which one runs the service: the one that holds a lock of this name. It goes to the
 * next tab as soon as the one that had it is closed or has crashed. `lead` starts the service.
 */
export function joinTabs(name: string, lead: () => Promise<LeadingService>, listener: TabListener): Tab {
  const me = crypto.randomUUID();
  const channel = new BroadcastChannel(name);
  const pending = new Map<string, Pending>();
  let leader: string | undefined;
  let service: LeadingService | undefined;
  const post = (message: Message) => channel.postMessage(message);

  function send(request: RequestRecord): Promise<ResponseRecord> {
    if (service) return service.answer(request);
    const { promise, resolve, reject } = Promise.withResolvers<ResponseRecord>();
    const id = crypto.randomUUID();
    const entry: Pending = { request, leader: undefined, resolve, reject };
    pending.set(id, entry);
    dispatch(id, entry);
    return promise.finally(() => pending.delete(id));
  }

  function dispatch(id: string, entry: Pending): void {
    entry.leader = leader;
    if (service) service.answer(entry.request).then(entry.resolve, entry.reject);
    else if (leader !== undefined) post({ kind: "request", leader, id, request: entry.request });
  }

  /** Sends on what the tab did not answer that had the service before. */
  function follow(next: string): void {
    leader = next;
    for (const [id, entry] of pending) {
      if (entry.leader === next) continue;
      if (entry.leader === undefined || isRepeatable(entry.request)) dispatch(id, entry);
      else entry.reject(new TypeError("The tab in which the service ran was closed before it answered."));
    }
  }

  function tell(): void {
    if (!service) return;
    const status = service.status();
    post({ kind: "leader", leader: me, status });
    listener.onStatus({ ...status, isHere: true });
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === "who") {
      if (service) post({ kind: "leader", leader: me, status: service.status() });
    } else if (data.kind === "leader") {
      if (service) return;
      follow(data.leader);
      listener.onStatus({ ...data.status, isHere: false });
    } else if (data.kind === "request") {
      if (!service || data.leader !== me) return;
      service.answer(data.request).then(
        response => post({ kind: "response", id: data.id, response }),
        error => post({ kind: "failure", id: data.id, message: String(error) }),
      );
    } else if (data.kind === "response") pending.get(data.id)?.resolve(data.response);
    else pending.get(data.id)?.reject(new TypeError(data.message));
  };

  navigator.locks
    .request(name, async () => {
      service = await lead();
      follow(me);
      tell();
      await new Promise(() => {});
    })
    .catch(listener.onError);
  post({ kind: "who" });
  return { send, tell };
}

/** Whether a request may be sent twice without having its effect twice. */
function isRepeatable({ method, headers }: RequestRecord): boolean {
  return method === "GET" || method === "HEAD" || headers.some(([name]) => name === "idempotency-key");
}
