import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { notebookPage } from "../../src/cli/ipynb/page.ts";
import type { Cell, CodeCell } from "../../src/ipynb/format.ts";
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
/** Kernels that execute pages at a time. */
const KERNELS = 2;

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
/** Whether a page lists the names of its kernel, which are its own in a new one. */
const listsNames = ({ notebook }: Page) => notebook.cells.some(({ source }) => /^%who/m.test(source));
const environment = { ...process.env, KETBOOK_DATA: data, KETBOOK_URL: "", KETBOOK_API_KEY: "" };

/** Connects to the service of the environment again after a page that connects to another one. */
const RECONNECT: CodeCell = {
  cell_type: "code",
  id: "reconnect",
  metadata: {},
  execution_count: null,
  outputs: [],
  source: 'void (await import("ketbook")).connect()',
};

/**
 * Executes pages in one kernel by the built command, where `ketbook` can be imported. A kernel lets cells declare names
 * again, and each page declares its own.
 */
async function executed(pages: readonly Page[], name: string): Promise<Page[]> {
  const [input, output] = [join(work, `${name}.ipynb`), join(work, `${name}.out.ipynb`)];
  const cells = pages.flatMap((page, index) =>
    [RECONNECT, ...page.notebook.cells].map(cell => ({ ...cell, id: `${index}-${cell.id}` })),
  );
  writeFileSync(input, notebookText({ ...pages[0]!.notebook, cells }));
  const options = ["run", input, "--output", output, "--allow-errors"];
  const run = promisify(execFile)(process.execPath, [command, ...options], { env: environment });
  await run.catch(error => {
    throw new Error(String(error.stderr).slice(-2000));
  });
  const done = parseNotebook(readFileSync(output, "utf8"), { outputs: true }).cells;
  return pages.map(page => {
    const [first, ...rest] = done.splice(0, page.notebook.cells.length + 1);
    const counted = (cell: Cell): Cell =>
      cell.cell_type === "code" && cell.execution_count !== null
        ? { ...cell, execution_count: cell.execution_count - (first as CodeCell).execution_count! }
        : cell;
    const own = rest.map((cell, index) => ({ ...counted(cell), id: page.notebook.cells[index]!.id }));
    return { ...page, notebook: { ...page.notebook, cells: own } };
  });
}

/** Returns the errors of a page's cells. */
const failuresOf = ({ source, notebook }: Page) =>
  notebook.cells
    .flatMap(cell => (cell.cell_type === "code" ? cell.outputs : []))
    .flatMap(output =>
      output.output_type === "error" ? `${source}: ${output.ename}: ${output.evalue}` : [],
    );

async function build(): Promise<void> {
  const service = await startService(data);
  try {
    const read = sources.map(source => readPage(root, source));
    const waiting = read.filter(page => page.isExecuted).sort((a, b) => +listsNames(b) - +listsNames(a));
    const groups = Array.from({ length: KERNELS }, (_, group) =>
      waiting.filter((_, index) => index % KERNELS === group),
    );
    const done = (await Promise.all(groups.map((group, index) => executed(group, `group-${index}`)))).flat();
    const failures = done.flatMap(failuresOf);
    if (failures.length > 0) throw new Error(failures.join("\n"));
    const pages: Page[] = [...read.filter(page => !page.isExecuted), ...done];
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
