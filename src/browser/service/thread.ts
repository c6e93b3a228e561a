import { openThread, type Thread } from "../threads.ts";
import { ARCHIVE_PATH, type ServiceListener, type ServicePort, type ServiceTab } from "./connect.ts";
import { startPageService } from "./page-service.ts";
import {
  type RequestRecord,
  type ResponseRecord,
  type ServiceStatus,
  toRequest,
  toResponseRecord,
} from "./protocol.ts";

interface LeadingService {
  /** Returns the status to share with other tabs. */
  status(): Omit<ServiceStatus, "isHere">;
  answer(request: RequestRecord): Promise<ResponseRecord>;
}

type Message =
  | { kind: "who" }
  | { kind: "leader"; leader: string; status: Omit<ServiceStatus, "isHere"> }
  | { kind: "request"; leader: string; id: string; request: RequestRecord }
  | { kind: "response"; id: string; response: ResponseRecord }
  | { kind: "failure"; id: string; message: string };

interface Pending extends PromiseWithResolvers<ResponseRecord> {
  request: RequestRecord;
  /** The tab that it was sent to. */
  leader?: string | undefined;
}

/**
 * Joins the tabs of an origin, of which one runs the service: the one that holds a lock of this name. It goes to the
 * next tab as soon as the one that had it is closed or has crashed. `lead` starts the service.
 */
function joinTabs(name: string, lead: () => Promise<LeadingService>, listener: ServiceListener) {
  const me = crypto.randomUUID();
  const channel = new BroadcastChannel(name);
  const pending = new Map<string, Pending>();
  let leader: string | undefined;
  let service: LeadingService | undefined;
  const post = (message: Message) => channel.postMessage(message);

  /**
   * Has a request answered by the tab in which the service runs, once there is one. Where that tab is closed meanwhile,
   * what can safely be repeated is sent to the next one, and anything else rejects with a `TypeError`.
   */
  function send(request: RequestRecord): Promise<ResponseRecord> {
    if (service) return service.answer(request);
    const id = crypto.randomUUID();
    const entry: Pending = { ...Promise.withResolvers<ResponseRecord>(), request };
    pending.set(id, entry);
    dispatch(id, entry);
    return entry.promise.finally(() => pending.delete(id));
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

  /** Tells the other tabs that the status has changed, where the service runs here. */
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
    .catch((error: Error) => listener.onError(error?.message ?? String(error)));
  post({ kind: "who" });
  return { send, tell };
}

/** Returns true for a request that has its effect only once, even if it is sent twice. */
function isRepeatable({ method, headers }: RequestRecord): boolean {
  return method === "GET" || method === "HEAD" || headers.some(([name]) => name === "idempotency-key");
}

/** The script of the thread of a page's service: it runs the service, or passes requests on to the tab that does. */
const NAME = "ketbook";

const ports = new Set<Thread<ServiceListener>>();
let tellStatus: ((port: Thread<ServiceListener>) => void) | undefined;

function tellAll(tell: typeof tellStatus & {}): void {
  tellStatus = tell;
  ports.forEach(tell);
}

const tab = joinTabs(NAME, lead, {
  onStatus: status => tellAll(port => port.tell("onStatus", status)),
  onError: message => tellAll(port => port.tell("onError", message)),
});

let mayBeEvicted = false;

/** Whether jobs were submitted here, which could be lost. */
let hasJobs = false;

async function checkPersistence(): Promise<void> {
  mayBeEvicted = !(await navigator.storage?.persisted?.().catch(() => false));
}

async function lead(): Promise<LeadingService> {
  const service = await startPageService(new URL("./", import.meta.url));
  let apiKey = await service.apiKey();
  await checkPersistence();
  return {
    status: () => ({
      apiKey,
      storage: service.isKept ? "browser" : "memory",
      mayBeEvicted: service.isKept && mayBeEvicted,
      notes: hasJobs ? notesOf(service.isKept) : [],
    }),
    async answer(request) {
      const response = await toResponseRecord(await service.answer(toRequest(request)));
      if (request.method === "POST") {
        const { pathname } = new URL(request.url);
        const isArchive = pathname === ARCHIVE_PATH;
        if (isArchive) apiKey = await service.apiKey();
        if (isArchive || (!hasJobs && pathname.endsWith("/jobs"))) {
          hasJobs = true;
          tab.tell();
        }
      }
      return response;
    },
  };
}

function notesOf(isKept: boolean): string[] {
  if (!isKept)
    return [
      "This browser keeps no files for pages, as in a private window: jobs and credits last until the tab that runs the service is closed.",
    ];
  if (!mayBeEvicted) return [];
  return [
    "The browser may remove your jobs and results when it runs out of room. To keep or export them, open “Jobs in this browser …” in the menu.",
  ];
}

openThread(globalThis, {
  connect(port) {
    const thread = openThread<ServiceListener>(port, {
      answer: tab.send,
      close() {
        ports.delete(thread);
        port.close();
      },
    } satisfies ServicePort);
    ports.add(thread);
    tellStatus?.(thread);
  },
  async checkPersistence() {
    await checkPersistence();
    tab.tell();
  },
} satisfies ServiceTab);
