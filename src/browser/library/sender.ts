import { fetchSender } from "../../client/fetch-sender.ts";
import type { Sender } from "../../client/http.ts";
import { SERVICE_URL } from "../service/connect.ts";

const SEND = Symbol.for("ketbook.send");

/** Answers requests to the page's own service. */
export type Send = (request: Request) => Promise<Response>;

/** Says what answers requests to the page's own service. */
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
