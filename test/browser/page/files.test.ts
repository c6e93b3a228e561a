import { appendFileSync, cpSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newCell, newNotebook, titleOf } from "../../../src/browser/page/notebook.ts";
import { parseNotebook } from "../../../src/ipynb/parse.ts";
import { notebookText } from "../../../src/ipynb/text.ts";
import { newFolder } from "../../folder.ts";
import { unavailable } from "../../front-ends/available.ts";
import { closePages } from "../../front-ends/browser.ts";

import { serving } from "../../service/serving.ts";
import { buildSite } from "../build-once.ts";
import {
  drop,
  type OpenPage,
  openPage,
  outputs,
  PATIENCE_MS,
  runAll,
  sharedPage,
  withCells,
} from "./open-page.ts";
import { type Site, serveSite } from "./site.ts";

const NOTEBOOK = notebookText(newNotebook([newCell("markdown", "# From a file"), newCell("code", "6 * 7")]));

describe.skipIf(unavailable("chromium"))("files and addresses of the page", { timeout: PATIENCE_MS }, () => {
  let folder: string;
  let site: Site;
  let opened: OpenPage | undefined;
  const shared = sharedPage(() => site);
  const servers: Server[] = [];

  beforeAll(async () => {
    folder = await buildSite();
    site = await serveSite(folder, { isolated: true, isKept: false });
  }, 2 * PATIENCE_MS);
  afterEach(async () => {
    const last = opened;
    opened = undefined;
    await last?.close();
  });
  afterAll(async () => {
    await shared.close();
    await closePages();
    await site?.close();
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  });

  /** Serves requests at another origin. */
  async function serve(answer: (request: Request) => Promise<Response>): Promise<string> {
    const server = createServer(async (request, response) => {
      const { method = "GET", url, headers } = request;
      const body = ["GET", "HEAD"].includes(method) ? {} : { body: Buffer.concat(await request.toArray()) };
      const sent = new Headers(
        Object.entries(headers).filter(([name]) => name !== "host") as [string, string][],
      );
      const found = await answer(new Request(`http://other${url}`, { method, headers: sent, ...body }));
      response
        .writeHead(found.status, Object.fromEntries(found.headers))
        .end(Buffer.from(await found.arrayBuffer()));
    });
    servers.push(server);
    await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  const choose = async (page: Page, item: string) => {
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  const title = (page: Page) => page.locator(".title").innerText();
  const notes = (page: Page) => page.locator(".note").allInnerTexts();

  test("opens a notebook that is chosen or dropped, runs nothing of it, and says what is wrong with another file", async () => {
    const page = await shared.page();
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), choose(page, "Open a file …")]);
    await chooser.setFiles({
      name: "01-a.ipynb",
      mimeType: "application/json",
      buffer: Buffer.from(NOTEBOOK),
    });
    await expect.poll(() => title(page)).toBe("From a file");
    expect(await outputs(page)).toEqual([""]);
    await page.reload();
    await expect.poll(() => title(page)).toBe("From a file");
    const [saved] = await Promise.all([page.waitForEvent("download"), choose(page, "Save as .ipynb")]);
    expect(saved.suggestedFilename()).toBe("01-a.ipynb");
    await drop(page, NOTEBOOK.replace("From a file", "Dropped"));
    await expect.poll(() => title(page)).toBe("Dropped");
    await drop(page, "no notebook");
    await expect.poll(async () => (await notes(page)).join()).toMatch(/JSON|notebook/);
    expect(await title(page)).toBe("Dropped");
  });

  test("opens an address whose server allows it, and says why not where it does not", async () => {
    const cors = { "access-control-allow-origin": "*", "content-type": "application/json" };
    const other = await serve(async ({ url }) =>
      new URL(url).pathname === "/open.ipynb"
        ? new Response(NOTEBOOK, { headers: cors })
        : new Response(NOTEBOOK, {
            status: url.endsWith("gone") ? 404 : 200,
            headers: url.endsWith("gone") ? cors : {},
          }),
    );
    opened = await openPage(site, `#from=${encodeURIComponent(`${other}open.ipynb`)}`, [other]);
    const { page } = opened;
    await page.getByRole("button", { name: "Load it" }).click();
    await expect.poll(() => title(page)).toBe("From a file");
    expect(await outputs(page)).toEqual([""]);
    for (const [path, sentence] of [
      [
        "closed.ipynb",
        "does not let other pages read this notebook (CORS), or can't be reached. Download the file, and drop it here.",
      ],
      ["gone", "answers 404: there is no notebook to read."],
    ]) {
      await page.goto("about:blank");
      await page.goto(`${site.url}#from=${encodeURIComponent(other + path)}`);
      await page.getByRole("button", { name: "Load it" }).click();
      await expect.poll(async () => (await notes(page)).join()).toContain(sentence);
    }
  });

  test("saves a notebook as a file that is the same when it is opened, and as a page that runs nothing", async () => {
    opened = await openPage(site, await withCells("// a < b\n6 * 7", "console.log('</script><b>')"));
    const { page } = opened;
    await runAll(page);
    const save = async (item: string) => {
      const [download] = await Promise.all([page.waitForEvent("download"), choose(page, item)]);
      return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
    };
    const file = await save("Save as .ipynb");
    expect(file.name).toBe("notebook.ipynb");
    const { cells } = parseNotebook(file.text, { outputs: true });
    expect(cells.map(({ source }) => source)).toEqual(["// a < b\n6 * 7", "console.log('</script><b>')"]);
    expect(cells[0]).toMatchObject({ execution_count: 1, outputs: [{ data: { "text/plain": "42" } }] });
    const html = await save("Save as .html");
    const saved = await opened.context.newPage();
    await saved.setContent(html.text);
    expect(await saved.locator(".outputs").allInnerTexts()).toEqual([
      expect.stringContaining("42"),
      expect.stringContaining("</script><b>"),
    ]);
    expect(await saved.locator("script, button, [contenteditable]").count()).toBe(0);
  });

  test("lists the tour, the gallery and the course, and opens each with one click", async () => {
    const files = readdirSync(fileURLToPath(new URL("../../../notebooks", import.meta.url)), {
      recursive: true,
    })
      .map(String)
      .filter(file => file.endsWith(".ipynb") && !file.startsWith("out"));
    const page = await shared.page();
    await choose(page, "Tour, gallery, course …");
    await expect.poll(() => page.locator(".listed").count()).toBe(files.length);
    const titles = await page.locator(".listed strong").allInnerTexts();
    expect(titles[0]).toBe("Ketbook in ten minutes");
    const served = (await page.evaluate(
      "fetch('notebooks/index.json').then(list => list.json()).then(list => Promise.all(list.map(({ file }) => fetch('notebooks/' + file).then(found => found.text()))))",
    )) as string[];
    expect(served.map(text => titleOf(parseNotebook(text)))).toEqual(titles);
    for (const each of [titles[0]!, titles.at(-1)!]) {
      if ((await page.locator("dialog").count()) === 0) await choose(page, "Tour, gallery, course …");
      await page.locator(".listed").filter({ hasText: each }).first().click();
      await expect.poll(() => title(page)).toBe(each);
    }
  });

  test("exports the jobs that it keeps, and imports them into another browser, in all of its tabs", async () => {
    const run =
      'import { run, jobs, qasm } from "ketbook"; await run(qasm`OPENQASM 3.0; qubit q; bit c = measure q;`).shots(10); (await jobs()).length';
    opened = await openPage(site, await withCells(run));
    await runAll(opened.page);
    expect(await outputs(opened.page)).toEqual(["1"]);
    await choose(opened.page, "Jobs in this browser …");
    const [download] = await Promise.all([
      opened.page.waitForEvent("download"),
      opened.page.getByRole("button", { name: "Export" }).click(),
    ]);
    const buffer = readFileSync(await download.path());
    await opened.close();
    opened = await openPage(site, await withCells('import { jobs } from "ketbook"; (await jobs()).length'));
    const { page } = opened;
    const beside = await opened.context.newPage();
    await beside.goto(page.url());
    for (const tab of [page, beside]) {
      await tab.locator(".cell").first().waitFor();
      await runAll(tab);
      await expect.poll(() => outputs(tab)).toEqual(["0"]);
    }
    await choose(page, "Jobs in this browser …");
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Import …" }).click(),
    ]);
    await chooser.setFiles({ name: "ketbook.sqlite", mimeType: "application/vnd.sqlite3", buffer });
    await expect.poll(() => page.locator("dialog").innerText()).toContain("1 job is imported.");
    await page.locator("dialog").getByRole("button", { name: "Close" }).click();
    await expect
      .poll(() => notes(beside))
      .toContainEqual(expect.stringContaining("Jobs, results and credits have been replaced"));
    for (const tab of [page, beside]) {
      await runAll(tab);
      await expect.poll(() => outputs(tab)).toEqual(["1"]);
    }
  });

  test("has cells use a hosted service that allows it, whose key stays in this browser", async () => {
    await using hosted = await serving();
    const cors = {
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "*",
      "access-control-allow-methods": "*",
      "access-control-expose-headers": "*",
    };
    const other = await serve(async request => {
      if (request.method === "OPTIONS") return new Response(null, { headers: cors });
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      const body = method === "GET" ? {} : { body: await request.arrayBuffer() };
      const answer = await fetch(new URL(pathname + search, hosted.service.url), {
        method,
        headers,
        ...body,
      });
      return new Response(await answer.arrayBuffer(), {
        status: answer.status,
        headers: { ...cors, "content-type": answer.headers.get("content-type") ?? "application/json" },
      });
    });
    const { jobQrn } = await hosted.submit();
    opened = await openPage(
      site,
      await withCells('import { jobs } from "ketbook"; (await jobs()).map(({ qrn }) => qrn)'),
      [other],
    );
    const { page } = opened;
    await choose(page, "Service …");
    await expect.poll(() => page.locator("dialog").innerText()).toContain("kept only in this browser");
    await page
      .getByLabel("Address of the service")
      .fill(new URL(new URL(hosted.service.url).pathname, other).href);
    await page.getByLabel("API key").fill(hosted.service.apiKey);
    await Promise.all([
      page.waitForEvent("load"),
      page.getByRole("button", { name: "Use this service" }).click(),
    ]);
    await page.getByText(/^Cells that you run use your account at 127.0.0.1:.* can read its key/).waitFor();
    await runAll(page);
    await expect.poll(() => outputs(page)).toEqual([expect.stringContaining(jobQrn)]);
  });

  test("announces an update, and goes on as it is until it is asked to load it", async () => {
    const copy = newFolder();
    cpSync(folder, copy, { recursive: true });
    const changing = await serveSite(copy, { isolated: false });
    opened = await openPage(changing, await withCells("const kept = 5;", "kept + 1"));
    const { page } = opened;
    await page.evaluate("navigator.serviceWorker.ready");
    await page.reload();
    await expect.poll(() => page.evaluate("navigator.serviceWorker.controller !== null")).toBe(true);
    await page.locator(".cell").first().getByRole("button", { name: "Run cell" }).click();
    await expect.poll(() => page.locator(".count").first().innerText()).toBe("1");
    appendFileSync(join(copy, "service-worker.js"), "\n// newer");
    await page.evaluate("navigator.serviceWorker.getRegistration().then(found => found.update())");
    await expect
      .poll(async () => (await notes(page)).join(), { timeout: PATIENCE_MS })
      .toContain("A newer Ketbook is available.");
    await page.locator(".cell").nth(1).getByRole("button", { name: "Run cell" }).click();
    await expect.poll(async () => (await outputs(page))[1]).toBe("6");
    await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Reload" }).click()]);
    await page.locator(".cell").first().waitFor();
    expect(
      await page.evaluate("navigator.serviceWorker.getRegistration().then(found => found.waiting)"),
    ).toBe(null);
    await changing.close();
  });
});
