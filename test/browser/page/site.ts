import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};
const ISOLATION = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

/** A server of static files. */
export interface Site {
  /** Address of the page. */
  readonly url: string;
  /** Moves it to another origin, of which no browser keeps anything. */
  move(): void;
  close(): Promise<void>;
}

export interface SiteOptions {
  /** Whether answers have the headers that isolate a page. */
  isolated: boolean;
  /** Whether there is the service worker, which has a browser keep 200 files at the first visit. Default: true. */
  isKept?: boolean;
}

/** Serves a folder. */
export async function serveSite(folder: string, { isolated, isKept = true }: SiteOptions): Promise<Site> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site");
    const file = join(folder, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    const isLeftOut = !isKept && pathname === "/service-worker.js";
    if (isLeftOut || !file.startsWith(folder) || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[extname(file)] ?? "application/json";
    response.writeHead(200, { "content-type": type, ...(isolated && ISOLATION) }).end(readFileSync(file));
  });
  await new Promise<void>(resolve => void server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  let moves = 0;
  return {
    get url() {
      return `http://${moves === 0 ? "" : `page${moves}.`}localhost:${port}/`;
    },
    move() {
      moves += 1;
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
