import type { Notes } from "./storage.ts";

/** Has the browser keep this page for when there is no network, by a service worker. A newer one is offered, and never forced. */
export async function keepOffline(script: URL, notes: Pick<Notes, "show">): Promise<void> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!workers) return;
  try {
    const registration = await workers.register(script);
    void workers.ready.then(({ active }) => active?.postMessage("keep"));
    const offer = (worker: ServiceWorker | null) => {
      // The first worker may be in control before it is said to be installed: then none is active, or it is itself.
      if (!worker || !workers.controller || !registration.active || registration.active === worker) return;
      notes.show("A newer Ketbook is available. Reload to use it; variables will be lost.", [
        "Reload",
        () => {
          workers.addEventListener("controllerchange", () => location.reload(), { once: true });
          worker.postMessage("use");
        },
      ]);
    };
    offer(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const worker = registration.installing;
      worker?.addEventListener("statechange", () => {
        if (worker.state === "installed") offer(worker);
      });
    });
  } catch {
    // A browser that keeps nothing, as in private windows, still runs the page.
  }
}
