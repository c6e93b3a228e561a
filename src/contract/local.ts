import { hmacSha256Hex, readTextFile } from "#host";
import { attempted } from "../host/attempted.ts";

/** Name of the file in the data folder through which a running local service is found. */
export const SERVICE_FILE = "service.json";

/** Contents of that file. Only its owner can read it. */
export interface LocalService {
  /** Base address of version 2, ending in `/api/v1`. */
  url: string;
  /** Key of the data folder's own user. */
  apiKey: string;
  pid: number;
  version: string;
}

/** Reads where the data folder's service is, if one has said so. */
export function readServiceFile(folder: string): LocalService | undefined {
  const value: unknown = attempted(() => JSON.parse(readTextFile(`${folder}/${SERVICE_FILE}`)));
  const { url, apiKey, pid, version } = (value ?? {}) as { [field in keyof LocalService]?: unknown };
  const texts = [url, apiKey, version].every(text => typeof text === "string");
  const isOne = texts && URL.canParse(url as string) && Number.isInteger(pid) && (pid as number) > 0;
  return isOne ? (value as LocalService) : undefined;
}

/** Paths by which a local service proves its identity, and ends for a newer one. */
export const LOCAL_PATHS = { identity: "/local/identity", stepAside: "/local/step-aside" } as const;

/** Whether a value is a number that a service can be asked to prove itself with. */
export function isNonce(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{32,128}$/.test(value);
}

/**
 * Proves that a process knows the key of the data folder, without revealing it. The proof holds for one address and one
 * version, so nobody can pass on that of another service.
 */
export function proveService(
  service: Pick<LocalService, "url" | "apiKey" | "version">,
  nonce: string,
): string {
  const { url, apiKey, version } = service;
  return hmacSha256Hex(apiKey, ["ketbook", nonce, url, version].join("\n"));
}

/** Compares two versions such as `1.10.0`: below 0 where the first is older. What follows a hyphen does not count. */
export function compareVersions(first: string, second: string): number {
  const [a, b] = [first, second].map(version => version.split("-", 1)[0]!.split(".").map(Number));
  const at = [0, 1, 2].find(index => (a![index] || 0) !== (b![index] || 0));
  return at === undefined ? 0 : (a![at] || 0) - (b![at] || 0);
}
