/** A request as plain data, which can be posted to other threads and tabs. */
export interface RequestRecord {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body: ArrayBuffer | null;
}

export interface ResponseRecord {
  status: number;
  headers: [name: string, value: string][];
  body: ArrayBuffer | null;
}

/** Statuses whose answers have no body. */
const WITHOUT_BODY = new Set([101, 204, 205, 304]);

export async function toRequestRecord(request: Request): Promise<RequestRecord> {
  const { method, url } = request;
  const body = method === "GET" || method === "HEAD" ? null : await request.arrayBuffer();
  return { method, url, headers: [...request.headers], body: body?.byteLength ? body : null };
}

export const toRequest = ({ url, method, headers, body }: RequestRecord): Request =>
  new Request(url, { method, headers, body });

export async function toResponseRecord(response: Response): Promise<ResponseRecord> {
  const body = await response.arrayBuffer();
  return { status: response.status, headers: [...response.headers], body: body.byteLength ? body : null };
}

export const toResponse = ({ status, headers, body }: ResponseRecord): Response =>
  new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers });

export interface ServiceStatus {
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
