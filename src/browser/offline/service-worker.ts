/** The name of the page, its files and a hash of them all, which the build writes in here. */
declare const SITE: { name: string; version: string; files: readonly string[] };

/** Used part of a service worker's scope, which the DOM library lacks. */
interface Scope {
  addEventListener(type: "install" | "activate", listener: (event: Extendable) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
  addEventListener(type: "message", listener: (event: Extendable & { data: unknown }) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  registration: { active: unknown };
  location: Location;
}
interface Extendable {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Extendable {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

const scope = globalThis as unknown as Scope;
const PREFIX = `ketbook-${SITE.name}-`;
const CACHE = PREFIX + SITE.version;

/** Headers that isolate the page, so its threads can share memory. */
const ISOLATION = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
};

/** A file whose name says what is in it: what of it the browser has is not requested again. */
const HASHED = /^(?:build\/)?chunks\/.+-[\w-]{8}\.js$/;

/** Keeps all files of the page, where that was not done yet. */
async function keep(): Promise<void> {
  const cache = await caches.open(CACHE);
  if (await cache.match(new URL(SITE.files[0]!, scope.location.href))) return;
  await cache.addAll(
    SITE.files.map(
      file =>
        new Request(new URL(file, scope.location.href), {
          cache: HASHED.test(file) ? "default" : "no-cache",
        }),
    ),
  );
}

async function forgetOthers(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter(name => name.startsWith(PREFIX) && name !== CACHE).map(name => caches.delete(name)),
  );
  await scope.clients.claim();
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const found = await cache.match(request, { ignoreSearch: true });
  const response = found ?? (await fetch(request));
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(ISOLATION)) headers.set(name, value);
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}

// The first one is active at once, to isolate the page; it caches the files when the page asks it to.
scope.addEventListener("install", event => {
  if (scope.registration.active) event.waitUntil(keep());
});
scope.addEventListener("activate", event => event.waitUntil(forgetOthers()));
scope.addEventListener("message", event => {
  const { data } = event;
  if (data === "use") void scope.skipWaiting();
  else if (data === "keep") event.waitUntil(keep());
});
scope.addEventListener("fetch", event => {
  const { method, url } = event.request;
  if (method === "GET" && new URL(url).origin === scope.location.origin)
    event.respondWith(answer(event.request));
});
