import { hostedService } from "./storage.ts";

/** How an address names a notebook elsewhere that is to be opened. */
export const FROM = "#from=";

/** The notebook elsewhere that an address names. */
export function addressIn(hash: string): URL | undefined {
  const text = hash.startsWith(FROM) ? decodeURIComponent(hash.slice(FROM.length)) : "";
  return /^https?:/.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

/**
 * Narrows what this page may speak to: itself, and what the user has asked for by name. The page's own policy would let
 * it reach any address, which it has to leave open for this.
 */
export function narrowConnections(): void {
  const asked = [hostedService()?.url, addressIn(location.hash)?.href].filter(url => url !== undefined);
  const origins = asked.map(url => new URL(url).origin);
  const meta = document.createElement("meta");
  meta.httpEquiv = "Content-Security-Policy";
  meta.content = `connect-src ${["'self'", ...origins].join(" ")}`;
  document.head.append(meta);
}
