import type { Client } from "../client/client.ts";
import { KetbookError } from "../client/errors.ts";
import type { EndpointSource } from "../client/transport.ts";

/** Where the service is, and with which key. */
export interface ConnectOptions {
  /** Base address, ending in `/api/v1`. */
  url: string;
  /** Key of your account there. */
  apiKey: string;
}

let chosen: ConnectOptions | undefined;
let client: Promise<Client> | undefined;

/**
 * Points every helper of this notebook to a hosted service. Without it, `KETBOOK_URL` and `KETBOOK_API_KEY` are
 * taken from the environment, and where they are not set either, Ketbook runs the service on this computer.
 *
 * @throws KetbookError when the address is not one.
 */
export function connect(options: ConnectOptions): void {
  if (!URL.canParse(options.url) || !/^https?:/.test(options.url)) {
    throw new KetbookError(`connect: ${JSON.stringify(options.url)} is not an http(s) address.`);
  }
  if (!options.apiKey) throw new KetbookError("connect: apiKey is missing. Keys are made in your account.");
  chosen = { url: options.url, apiKey: options.apiKey };
  client = undefined;
}

/** The client of the connection in force. Loads the network code on first use. */
export function currentClient(): Promise<Client> {
  client ??= import("../client/client.ts").then(module => module.openClient(endpointSource()));
  return client;
}

function endpointSource(): EndpointSource {
  const { KETBOOK_URL: url, KETBOOK_API_KEY: apiKey } = process.env;
  const fixed = chosen ?? (url ? { url, apiKey: apiKey ?? "" } : undefined);
  if (fixed) return async () => fixed;
  let found: ReturnType<EndpointSource> | undefined;
  return again => {
    if (again || !found) {
      found = import("./local-service.ts").then(module => module.localEndpoint());
      found.catch(() => {
        found = undefined;
      });
    }
    return found;
  };
}
