import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

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

const root = fileURLToPath(new URL("../../../", import.meta.url));
const CACHE = join(root, "node_modules/.cache/ketbook");
/** What the site is made from. */
const SOURCES = ["src", "site", "tools/site", "notebooks", "dist/index.d.ts", "package-lock.json"];

/**
 * Builds the site, and returns its folder. It is built once for all that it is made from; the folder is not to be changed.
 */
export function buildSite(): string {
  const folder = join(CACHE, `site-${hashOf(SOURCES.map(name => join(root, name)))}`);
  return buildOnce(folder, draft =>
    execFileSync(process.execPath, [join(root, "tools/site/build.ts"), draft], { stdio: "pipe" }),
  );
}

/** Builds a folder that is named for what it is made from, and removes those of its kind that were made from something else. */
export function buildOnce(folder: string, build: (draft: string) => void): string {
  if (existsSync(folder)) return folder;
  const [name, parent] = [basename(folder), dirname(folder)];
  const kind = name.slice(0, name.indexOf("-") + 1);
  mkdirSync(parent, { recursive: true });
  for (const each of readdirSync(parent))
    if (each.startsWith(kind) && !each.startsWith(name))
      rmSync(join(parent, each), { recursive: true, force: true });
  const draft = `${folder}.${process.pid}`;
  build(draft);
  try {
    renameSync(draft, folder);
  } catch {
    // Another process was faster.
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

function hashOf(paths: readonly string[]): string {
  const hash = createHash("sha256");
  const add = (path: string) => {
    if (/\/(?:out|node_modules)$/.test(path)) return;
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name));
    else hash.update(path).update(readFileSync(path));
  };
  for (const path of paths) add(path);
  return hash.digest("hex").slice(0, 16);
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
