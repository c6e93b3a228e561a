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
  url: string;
  close(): Promise<void>;
}

/** Serves a folder, with the headers that isolate a page or without them. */
export async function serveSite(folder: string, { isolated }: { isolated: boolean }): Promise<Site> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site");
    const file = join(folder, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    if (!file.startsWith(folder) || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[extname(file)] ?? "application/json";
    response.writeHead(200, { "content-type": type, ...(isolated && ISOLATION) }).end(readFileSync(file));
  });
  await new Promise<void>(resolve => void server.listen(0, "localhost", resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
