import type { RequestRecord, ResponseRecord } from "./import-archive.ts";

/** State of a page's service. */
export interface ServiceStatus {
  /** Key of the page's own user. */
  apiKey: string;
  /** Storage of jobs: in the browser, or only while a tab is open. */
  storage: "browser" | "memory";
  /** Whether the browser may remove what is kept when it needs room. */
  mayBeEvicted: boolean;
  /** Whether the service runs in this tab; otherwise in another one of this origin, which is spoken to. */
  isHere: boolean;
  /** Notes about the above for the user, in whole sentences; empty if all is well. */
  notes: readonly string[];
}

/** Messages to the service's thread: requests, requests no longer waited for, and the end. */
export type ToService =
  | { kind: "request"; id: number; request: RequestRecord }
  | { kind: "abort"; id: number }
  | { kind: "close" };

/**
 * What the thread of the service posts: answers; that a request was not answered, so that it may have had its effect or
 * not; the status, at first and whenever it changes; and why the service can't be started.
 */
export type FromService =
  | { kind: "response"; id: number; response: ResponseRecord }
  | { kind: "failure"; id: number; message: string }
  | { kind: "status"; status: ServiceStatus }
  | { kind: "unavailable"; message: string };
