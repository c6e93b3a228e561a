import { openAddress } from "./files.ts";
import { keyOfTab } from "./keeper.ts";
import { startPage } from "./page.ts";
import { addressIn, isAskedFor, narrowConnections } from "./storage.ts";

const TRIED = "ketbook.isolation";
const ACTIVE_WITHIN_MS = 3000;

/**
 * Has a page whose server does not isolate it be isolated by its service worker, so its threads can share memory and
 * a busy cell can be interrupted: reloads it once, before anything of it runs. Resolves where it goes on as it is.
 */
async function isolate(script: URL): Promise<void> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (globalThis.crossOriginIsolated || !workers) return;
  try {
    if (sessionStorage.getItem(TRIED)) return sessionStorage.removeItem(TRIED);
    await workers.register(script);
    const isActive = await Promise.race([
      workers.ready.then(() => true),
      new Promise<false>(resolve => setTimeout(resolve, ACTIVE_WITHIN_MS, false)),
    ]);
    if (!isActive) return;
    sessionStorage.setItem(TRIED, "yes");
  } catch {
    // A browser that keeps nothing, as in private windows, still runs the page.
    return;
  }
  location.reload();
  await new Promise(() => undefined);
}

await isolate(new URL("service-worker.js", document.baseURI));
const address = keyOfTab() === undefined && isAskedFor() ? addressIn(location.hash) : undefined;
const loading = address && openAddress(address);
await loading?.catch(() => undefined);
narrowConnections();
void startPage(loading);
