import type { HostedService } from "../kernel/protocol.ts";

const NOTEBOOK = "ketbook.notebook";
const HOSTED = "ketbook.service";
const SCHEME = "ketbook.scheme";

/** The notebook that this browser keeps; undefined where it keeps none. */
export const keptNotebook = (): string | undefined => read(NOTEBOOK);

/** Keeps a notebook in this browser. Returns whether there was room for it. */
export const keepNotebook = (text: string): boolean => write(NOTEBOOK, text);

/** The hosted service that this browser knows; undefined for the page's own. */
export function hostedService(): HostedService | undefined {
  try {
    const { url, apiKey } = JSON.parse(read(HOSTED) ?? "{}") as Partial<HostedService>;
    return url && apiKey && URL.canParse(url) ? { url, apiKey } : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a hosted service and its key in this browser, or forgets it. */
export function keepHostedService(service: HostedService | undefined): void {
  if (service) write(HOSTED, JSON.stringify(service));
  else localStorage.removeItem(HOSTED);
}

/** Light or dark, where the user has chosen. */
export const keptScheme = (): string | undefined => read(SCHEME);

/** Keeps the choice of light or dark. */
export const keepScheme = (scheme: string): void => void write(SCHEME, scheme);

function read(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function write(key: string, value: string): boolean {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
