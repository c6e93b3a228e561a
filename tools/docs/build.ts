import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { notebookPage } from "../../src/cli/ipynb/page.ts";
import { parseNotebook } from "../../src/ipynb/parse.ts";
import { notebookText } from "../../src/ipynb/text.ts";
import type { Document } from "../../src/service/http/openapi.ts";
import { startService } from "../service.ts";
import { contentsOf, frame } from "./frame.ts";
import { markdownNotebook, type Page, pathOf, readPage, relinked } from "./pages.ts";
import { plainTexts } from "./plain-texts.ts";
import { reference, referencePath } from "./reference.ts";
import { searchPage } from "./search.ts";
import { serviceApi } from "./service-api.ts";

/**
 * Builds the documentation as one static site that needs no network, and prints its folder last:
 * node tools/docs/build.ts [folder]. Every example is executed, and where one fails there is no site.
 */
const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = process.argv[2] ?? join(root, "docs/out");
const command = join(root, "dist/cli.js");
/** Notebooks that are executed at a time. */
const PARALLEL = 2;

const filesIn = (directory: string, ending: RegExp) =>
  readdirSync(join(root, directory))
    .filter(name => ending.test(name))
    .sort()
    .map(name => `${directory}/${name}`);

const sources = [
  ...filesIn("docs", /\.md$/),
  ...filesIn("docs/guide", /\.md$/),
  ...filesIn("notebooks", /\.ipynb$/),
  ...filesIn("notebooks/course", /\.(?:ipynb|md)$/),
];
const workplace = join(root, "notebooks/out");
mkdirSync(workplace, { recursive: true });
const work = mkdtempSync(join(workplace, "docs-"));
const data = mkdtempSync(join(tmpdir(), "ketbook-docs-"));
const environment = { ...process.env, KETBOOK_DATA: data, KETBOOK_URL: "", KETBOOK_API_KEY: "" };

/** Executes a page's notebook by the built command, where `ketbook` can be imported. */
async function executed(page: Page): Promise<Page> {
  const name = page.path.replaceAll("/", "-");
  const [input, output] = [join(work, `${name}.ipynb`), join(work, `${name}.out.ipynb`)];
  writeFileSync(input, notebookText(page.notebook));
  const run = promisify(execFile)(process.execPath, [command, "run", input, "--output", output], {
    env: environment,
  });
  await run.catch(error => {
    throw new Error(`${page.source}: ${String(error.stderr).slice(-2000)}`);
  });
  return { ...page, notebook: parseNotebook(readFileSync(output, "utf8"), { outputs: true }) };
}

async function build(): Promise<void> {
  const service = await startService(data);
  try {
    const queue = sources.map(source => readPage(root, source));
    const pages: Page[] = queue.filter(page => !page.isExecuted);
    const waiting = queue.filter(page => page.isExecuted);
    const failures: string[] = [];
    const worker = async () => {
      for (let page = waiting.shift(); page; page = waiting.shift())
        await executed(page).then(
          done => pages.push(done),
          error => failures.push(String(error.message)),
        );
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
    if (failures.length > 0) throw new Error(failures.join("\n"));
    const openapi = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
    const add = (path: string, text: string) =>
      pages.push({ path, notebook: markdownNotebook(text), isExecuted: false });
    add("service/api.html", serviceApi(openapi));
    for (const { title, text } of reference(name => readFileSync(join(root, "dist", name), "utf8")))
      add(referencePath(title), text);
    write(pages);
  } finally {
    await service.stop();
  }
}

function write(pages: readonly Page[]): void {
  const known = new Map(sources.map(source => [source, pathOf(source)]));
  const contents = contentsOf(pages);
  rmSync(folder, { recursive: true, force: true });
  for (const page of pages) {
    const file = join(folder, page.path);
    mkdirSync(dirname(file), { recursive: true });
    const name = basename(page.path);
    const html = notebookPage(relinked(page, known), {
      name,
      note: "Ketbook",
      ...frame(page.path, contents),
    });
    writeFileSync(file, html);
  }
  writeFileSync(join(folder, "search.html"), searchPage(pages, contents));
  for (const [name, text] of Object.entries(plainTexts(root, sources)))
    writeFileSync(join(folder, name), text);
  for (const name of ["compose.yaml", "nginx.conf"]) cpSync(join(root, "docs", name), join(folder, name));
}

try {
  await build();
  process.stdout.write(`${relative("", folder) || folder}\n`);
} finally {
  for (const each of [work, data]) rmSync(each, { recursive: true, force: true });
}
