import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "../client/client.ts";
import { KetbookError } from "../client/errors.ts";
import type { EndpointSource } from "../client/transport.ts";
import { dataFolder } from "../contract/local.ts";

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
 * Points every helper of this notebook to a hosted service. Without it, the environment is asked (`KETBOOK_URL`,
 * `KETBOOK_API_KEY`), then `config.json` in the data folder; otherwise Ketbook runs the service on this computer.
 *
 * @throws KetbookError when the address is not one, or the key is missing.
 */
export function connect(options: ConnectOptions): void {
  chosen = checked(options.url, options.apiKey, "connect");
  client = undefined;
}

/** The client of the connection in force. Loads the network code on first use. */
export function currentClient(): Promise<Client> {
  if (!client) {
    client = openCurrent();
    client.catch(() => {
      client = undefined;
    });
  }
  return client;
}

async function openCurrent(): Promise<Client> {
  const fixed = chosen ?? fromEnvironment() ?? fromFile();
  const { openClient } = await import("../client/client.ts");
  return openClient(fixed ? async () => fixed : localSource());
}

function fromEnvironment(): ConnectOptions | undefined {
  const { KETBOOK_URL: url, KETBOOK_API_KEY: apiKey } = process.env;
  return url ? checked(url, apiKey, "KETBOOK_URL and KETBOOK_API_KEY") : undefined;
}

function fromFile(): ConnectOptions | undefined {
  const path = join(dataFolder(), "config.json");
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  try {
    const { url, apiKey } = JSON.parse(text);
    return url === undefined ? undefined : checked(url, apiKey, path);
  } catch (error) {
    if (error instanceof KetbookError) throw error;
    throw new KetbookError(`${path} is not JSON like {"url": "https://…/api/v1", "apiKey": "…"}.`, {
      cause: error,
    });
  }
}

function checked(url: unknown, apiKey: unknown, where: string): ConnectOptions {
  if (typeof url !== "string" || !/^https?:/.test(url) || !URL.canParse(url)) {
    throw new KetbookError(`${where}: ${JSON.stringify(url)} is not an http(s) address.`);
  }
  if (typeof apiKey !== "string" || apiKey === "") {
    throw new KetbookError(`${where}: the key is missing. Keys are made in your account at the service.`);
  }
  return { url, apiKey };
}

/** Finds the service of this computer, and starts it when it does not run, or no longer. */
function localSource(): EndpointSource {
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
