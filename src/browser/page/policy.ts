import { hostedService } from "./storage.ts";

/** Prefix of the address of a notebook to open from elsewhere. */
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

/** Loads the page again to open a notebook elsewhere, since the page may speak to that server only while it loads. */
export function openFrom(address: string): void {
  history.pushState({ asked: true }, "", FROM + encodeURIComponent(address));
  location.reload();
}

/** Whether the user confirmed loading the notebook that the address names; a link alone loads nothing. */
export const isAskedFor = (): boolean => (history.state as { asked?: boolean } | null)?.asked === true;

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
