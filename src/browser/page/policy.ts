import { hostedService } from "./storage.ts";

/** How an address names a notebook elsewhere that is to be opened. */
export const FROM = "#from=";

/** The notebook elsewhere that an address names; undefined where it names none that can be loaded. */
export function addressIn(hash: string): URL | undefined {
  if (!hash.startsWith(FROM)) return undefined;
  try {
    const url = new URL(decodeURIComponent(hash.slice(FROM.length)));
    return /^https?:$/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Narrows what this page may speak to from now on: itself, and the hosted service that the user has named. Its own policy
 * leaves any address open, for a notebook that has been loaded from elsewhere by now.
 */
export function narrowConnections(): void {
  const hosted = hostedService();
  const meta = document.createElement("meta");
  meta.httpEquiv = "Content-Security-Policy";
  meta.content = `connect-src 'self' ${hosted ? new URL(hosted.url).origin : ""}`;
  document.head.append(meta);
}
