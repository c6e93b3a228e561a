import type { HostedService } from "../kernel/protocol.ts";
import { read, remove, write } from "./local-storage.ts";

const HOSTED = "ketbook.service";
const SCHEME = "ketbook.scheme";

/** The hosted service that this browser knows; undefined for the page's own. */
export function hostedService(): HostedService | undefined {
  try {
    const { url, apiKey } = JSON.parse(read(HOSTED) ?? "{}") as Partial<HostedService>;
    return url && apiKey && URL.canParse(url) ? { url, apiKey } : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a hosted service and its key in this browser, or forgets it. Returns whether it could. */
export const keepHostedService = (service: HostedService | undefined): boolean =>
  service ? write(HOSTED, JSON.stringify(service)) : remove(HOSTED);

/** Light or dark, where the user has chosen. */
export const keptScheme = (): string | undefined => read(SCHEME);

/** Keeps the choice of light or dark. */
export const keepScheme = (scheme: string): void => void write(SCHEME, scheme);
