import { warn } from "#host";
import { type ClientOptions, type Endpoint, type EndpointSource, KetbookError } from "../../client/index.ts";
import {
  aFunction,
  anyValue,
  must,
  type OptionCheck,
  stringValue,
  wholeNumber,
} from "../../contract/index.ts";
import { singleLine } from "../../display/index.ts";
import { memoizeSuccess } from "../values/lazy-value.ts";
import { checkHelperOptions, given } from "../values/options.ts";
import type { Host } from "./host.ts";

/** Address of the service, the key, and options of requests. Missing members have defaults. */
export interface KetbookOptions extends ClientOptions {
  /**
   * Base address, ending in `/api/v1`. Default: `KETBOOK_URL`, else `url` in the data folder's `config.json`, else
   * a service of this computer's own, which is started when it is needed.
   */
  url?: string;
  /** Key of your account there. Default: `KETBOOK_API_KEY`, or `apiKey` in `config.json`, where the address is from. */
  apiKey?: string;
  /**
   * Device of runs that name none: a resource name, or a short one. Default: `KETBOOK_DEVICE`, else `device` in
   * `config.json`, else the state vector simulator of this computer's own service.
   */
  device?: string;
}

const checks: Record<keyof KetbookOptions, OptionCheck> = {
  url: anyValue,
  apiKey: anyValue,
  device: stringValue,
  fetch: aFunction,
  headers: anyValue,
  timeout: wholeNumber(1),
  maxRetries: wholeNumber(0),
  proxy: must("an address or false", value => value === false || typeof value === "string"),
  userAgent: stringValue,
};

export function checkConnection(options: KetbookOptions): void {
  checkHelperOptions("Ketbook", options, checks);
  if (options.url !== undefined) checkEndpoint(options.url, options.apiKey, "Ketbook");
}

export interface Connection {
  source: EndpointSource;
  /** The address; undefined for this computer's own service, which is looked for when it is needed. */
  url: string | undefined;
  device: string | undefined;
}

const localDevice = "svc:svc:sim:statevector";

type Settings = Pick<KetbookOptions, "url" | "apiKey" | "device">;

/** Finds out which service is meant: what the options say, else the environment, else `config.json`, else this computer's. */
export function resolveConnection(options: KetbookOptions, host: Host): Connection {
  const { where, ...found } = options.url === undefined ? settingsOf(host) : { where: "Ketbook" };
  const { url, apiKey, device }: Settings = { ...found, ...given(options) };
  if (url !== undefined) {
    const endpoint = checkEndpoint(url, apiKey, where);
    return { source: async () => endpoint, url, device };
  }
  const find = memoizeEndpoint(host);
  const source: EndpointSource = async refresh => ({ ...(await find(refresh)), ...(apiKey && { apiKey }) });
  return { source, url, device: device ?? localDevice };
}

/** A connection as plain data, without its key. */
export interface ConnectionRecord {
  /** Address of the service; null for this computer's own, which is looked for when it is needed. */
  url: string | null;
  /** Device of runs that name none; null when there is none. */
  device: string | null;
  /** Reason why the service cannot be determined. */
  problem?: string;
}

/** Says which service is meant, and never throws. Of the address, what may hold a secret is left out. */
export function describeConnection(connect: () => Connection): ConnectionRecord {
  try {
    const { url, device = null } = connect();
    if (url === undefined) return { url: null, device };
    const { origin, pathname } = new URL(url);
    return { url: origin + pathname, device };
  } catch (error) {
    return { url: null, device: null, problem: error instanceof Error ? error.message : String(error) };
  }
}

export function connectionText({ url, device, problem }: ConnectionRecord): string {
  const where = problem ? ` without a service (${problem})` : url ? ` at ${url}` : " of this computer";
  return singleLine(`Ketbook${where}${device ? `, device ${device}` : ""}`);
}

function settingsOf(host: Host): Settings & { where: string } {
  const file = readConfiguration(host);
  const [url, apiKey, device = file.device] = ["KETBOOK_URL", "KETBOOK_API_KEY", "KETBOOK_DEVICE"].map(
    name => host.environment(name) || undefined,
  );
  if (url) return { where: "KETBOOK_URL and KETBOOK_API_KEY", url, apiKey, device };
  if (apiKey) warn("KETBOOK_API_KEY is not used: set KETBOOK_URL to the address of its service, too.");
  return { ...file, device };
}

function readConfiguration(host: Host): Settings & { where: string } {
  const file = host.readData("config.json");
  if (!file) return { where: "" };
  const where = file.path;
  try {
    const { url, apiKey, device } = JSON.parse(file.text);
    return url === undefined ? { where, device } : { where, url, apiKey, device };
  } catch (cause) {
    const wanted = '{"url": "https://…/api/v1", "apiKey": "…"}';
    throw new KetbookError(`${where} is not JSON like ${wanted}.`, { cause });
  }
}

function checkEndpoint(url: unknown, apiKey: unknown, where: string): Endpoint {
  if (typeof url !== "string" || !/^https?:/.test(url) || !URL.canParse(url)) {
    throw new KetbookError(`${where}: ${JSON.stringify(url)} is not an address such as https://…/api/v1.`);
  }
  if (typeof apiKey !== "string" || apiKey === "") {
    throw new KetbookError(`${where}: the key is missing. Create one in your account at the service.`);
  }
  return { url, apiKey };
}

/** Time for which this computer's service stays trusted after its proof. */
const PROOF_TTL_MS = 2000;

/** Looks for this computer's service, and again when it no longer answers, is gone, or its proof has become old. */
function memoizeEndpoint(host: Host): EndpointSource {
  let proved: { endpoint: Endpoint; at: number } | undefined;
  const found = memoizeSuccess(async () => {
    proved = undefined;
    const endpoint = await host.localService();
    proved = { endpoint, at: performance.now() };
    return endpoint;
  });
  const isStale = () =>
    proved && !(performance.now() - proved.at <= PROOF_TTL_MS && host.isServing(proved.endpoint));
  return refresh => {
    if (refresh || isStale()) found.forget();
    return found.get();
  };
}
