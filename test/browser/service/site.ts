import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { buildService } from "../../../tools/site/service.ts";
import { pathOf } from "../../front-ends/available.ts";
import { workerContext } from "../../front-ends/browser.ts";
import { buildOnce } from "../build-once.ts";
import type { ServicePage } from "./page-api.ts";

declare global {
  /** What the page of these tests has. */
  const ketbook: ServicePage;
}

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".wasm": "application/wasm",
};

/** Pages and scripts that are no files: the page, and the service's thread as in a browser that keeps no files. */
const WRITTEN: Readonly<Record<string, string>> = {
  "/": '<!doctype html><script type="module" src="client.js"></script>',
  "/without-files.js": 'import "./remove-files.js"; import "./service.js";',
  "/remove-files.js": "delete StorageManager.prototype.getDirectory;",
};

/** A static site with the service of a page, on this machine. */
export interface ServiceSite {
  url: string;
  /** Paths that were asked for. */
  requested: string[];
  close(): void;
}

/** Builds the service once, and serves it: files alone, with the headers of cross-origin isolation where it is asked for. */
export async function serveSite({ isIsolated = false } = {}): Promise<ServiceSite> {
  const folder = await buildOnce("service", ["src", "tools/site", "test/browser/service/page"], draft =>
    buildService(draft, { client: "test/browser/service/page/client.ts" }),
  );
  const isolation = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
  };
  const requested: string[] = [];
  const server = createServer(({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    requested.push(pathname);
    const head = (type: string) => ({ "Content-Type": type, ...(isIsolated ? isolation : {}) });
    try {
      const file = WRITTEN[pathname] ?? readFileSync(join(folder, pathname));
      response.writeHead(200, head(TYPES[extname(pathname)] ?? "text/html")).end(file);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    requested,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Opens a page of a site in the browser of this worker, once its service answers. */
export const openPage = async (url: string): Promise<Page> => openIn(await workerContext(), url);

async function openIn(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction(() => "ketbook" in globalThis);
  await page.evaluate(() => ketbook.open().then(() => undefined));
  return page;
}

/** Chromium with a profile of its own, which can be killed. */
export interface KillableBrowser {
  /** Opens a page of a site, once its service answers. */
  open(url: string): Promise<Page>;
  /** Kills it with everything that it has started, as a crash of the machine would. */
  kill(): Promise<void>;
}

/** Starts Chromium on a profile. */
export async function startChromium(profile: string): Promise<KillableBrowser> {
  const args = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--remote-debugging-port=0",
  ];
  const child = spawn(pathOf("chromium")!, [...args, `--user-data-dir=${profile}`, "about:blank"], {
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = new Promise<void>(resolve => child.once("exit", () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stderr.setEncoding("utf8").on("data", chunk => {
      text += chunk;
      const found = /DevTools listening on (\S+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    void exited.then(() => reject(new Error(`Chromium ended: ${text}`)));
  });
  const browser = await chromium.connectOverCDP(address);
  return {
    open: url => openIn(browser.contexts()[0]!, url),
    async kill() {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, "SIGKILL");
      await exited;
      await browser.close().catch(() => undefined);
    },
  };
}
