/** A request, as it is posted to the thread of the service. */
export interface RequestMessage {
  kind: "request";
  id: number;
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body: ArrayBuffer | null;
}

/** Says that nobody waits for the answer to a request any more. */
export interface AbortMessage {
  kind: "abort";
  id: number;
}

/** An answer to a request. */
export interface ResponseMessage {
  kind: "response";
  id: number;
  status: number;
  headers: [name: string, value: string][];
  body: ArrayBuffer | null;
}

/** Says that a request was not answered: it may have had its effect or not. */
export interface FailureMessage {
  kind: "failure";
  id: number;
  message: string;
}

/** How the service of a page is. */
export interface ServiceStatus {
  /** Key of the page's own user. */
  apiKey: string;
  /** Where jobs are kept: in the browser's storage, or only for as long as a tab is open. */
  storage: "browser" | "memory";
  /** Whether the browser may remove what is kept when it needs room. */
  mayBeEvicted: boolean;
  /** Whether the service runs in this tab; otherwise in another one of this origin, which is spoken to. */
  isHere: boolean;
  /** What the user should know of the above, in whole sentences; empty where all is well. */
  notes: readonly string[];
}

/** Tells how the service is, at first and whenever that changes. */
export interface StatusMessage {
  kind: "status";
  status: ServiceStatus;
}

/** Tells why the service can't be started. */
export interface UnavailableMessage {
  kind: "unavailable";
  message: string;
}

/** What is posted to the thread of the service. */
export type ToService = RequestMessage | AbortMessage;

/** What the thread of the service posts. */
export type FromService = ResponseMessage | FailureMessage | StatusMessage | UnavailableMessage;
