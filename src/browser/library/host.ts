import { type Endpoint, fetchSender, KetbookError, type Sender } from "../../client/index.ts";
import type { Host } from "../../notebook/connection/index.ts";
import { SERVICE_URL } from "../service/connect.ts";

const SERVICE = Symbol.for("ketbook.service");

/** Says which service cells use when they name none. */
export function setDefaultService(find: () => Promise<Endpoint>): void {
  Object.defineProperty(globalThis, SERVICE, { value: find, configurable: true });
}

const files = new Map<string, string>();

/** A page: no environment, and files that last as long as it does. */
export const nodeHost: Host = {
  environment: () => undefined,
  readData(file) {
    const text = files.get(file);
    return text === undefined ? undefined : { path: file, text };
  },
  listData: folder =>
    Array.from(files.keys())
      .filter(file => file.startsWith(`${folder}/`))
      .map(file => file.slice(folder.length + 1)),
  writeData(file, text) {
    files.set(file, text);
    return true;
  },
  removeData: file => void files.delete(file),
  localService() {
    const find = (globalThis as { [SERVICE]?: () => Promise<Endpoint> })[SERVICE];
    if (!find) throw new KetbookError("This page has no service.");
    return find();
  },
  isServing: () => true,
};

const SEND = Symbol.for("ketbook.send");

export type Send = (request: Request) => Promise<Response>;

export function setServiceSend(send: Send): void {
  Object.defineProperty(globalThis, SEND, { value: send, configurable: true });
}

/** The network, as it is before cells can overwrite it. */
const network = globalThis.fetch.bind(globalThis);

/**
 * Sends requests to the page's own service through its port, and others over the network. Those tell no preference, as a
 * service that does not list that header refuses a page's request for it (CORS).
 */
export function undiciSender(): Sender {
  const own = new URL(SERVICE_URL).origin;
  return fetchSender(async (url, init) => {
    const request = new Request(url, init as RequestInit);
    const send = (globalThis as { [SEND]?: Send })[SEND];
    if (new URL(url).origin === own && send) return send(request);
    request.headers.delete("prefer");
    return network(request);
  });
}
