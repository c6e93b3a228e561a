import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { vegaAliases } from "../../src/charts/vega/aliases.ts";
import { licenceNotices } from "../../src/charts/vega/chunk.ts";
import { parseNotebook } from "../../src/ipynb/parse.ts";
import { releaseNotebook } from "../../src/ipynb/release.ts";
import { notebookText } from "../../src/ipynb/text.ts";
import { filesIn, writeServiceWorker } from "./offline.ts";
import { copyServiceAssets, SERVICE_ENTRIES } from "./service.ts";
import { forPages } from "./substitutes.ts";
import { compilerBeside, copyTypeAssets } from "./types.ts";
import { withoutUnusedParts } from "./unused-parts.ts";

/** Builds Ketbook in a browser as static files, and prints their folder last: node tools/site/build.ts [folder] */
const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const folder = process.argv[2] ?? path("site/out");

/** The scripts of the site, which share what they have in common. */
const ENTRIES = {
  page: "src/browser/page/main.ts",
  kernel: "src/browser/kernel/worker.ts",
  types: "src/browser/types/worker.ts",
  ...SERVICE_ENTRIES,
};

const shared = {
  platform: "browser" as const,
  resolve: { conditionNames: ["browser", "import"], alias: vegaAliases() },
  external: ["apache-arrow"],
};
const target = {
  format: "esm" as const,
  minify: true,
  comments: { annotation: false },
  chunkFileNames: "chunks/[name]-[hash].js",
};

async function bundle(entries: Record<string, string>): Promise<void> {
  const input = Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, path(file)]));
  const notices = licenceNotices(`${Object.keys(entries)[0]}.LICENSES.txt`, {
    "Apache-2.0": readFileSync(path("node_modules/typescript-6.0/LICENSE.txt"), "utf8"),
  });
  const build = await rolldown({
    ...shared,
    input,
    plugins: [compilerBeside, forPages, withoutUnusedParts, notices],
  });
  await build.write({ ...target, dir: folder });
  await build.close();
}

/** Copies the notebooks without their committed outputs, which a first visit would have to load. */
function copyNotebooks(): void {
  const files = readdirSync(path("notebooks"), { recursive: true })
    .map(String)
    .filter(file => file.endsWith(".ipynb") && !file.startsWith("out"))
    .sort((a, b) => Number(b === "tour.ipynb") - Number(a === "tour.ipynb") || a.localeCompare(b));
  const list = files.map(file => {
    const notebook = parseNotebook(readFileSync(path(`notebooks/${file}`), "utf8"));
    const released = file.startsWith("course/") ? releaseNotebook(notebook) : notebook;
    const prose = released.cells.find(cell => cell.cell_type === "markdown")?.source ?? "";
    const [, title = file, rest = ""] = /^#\s+(.+)\n([\s\S]*)/.exec(prose) ?? [];
    const [paragraph = ""] = rest.trim().split("\n\n");
    const [description = ""] = paragraph.startsWith("*") ? [paragraph] : paragraph.split(/(?<=\.)\s/);
    mkdirSync(join(folder, "notebooks", file, ".."), { recursive: true });
    writeFileSync(join(folder, "notebooks", file), notebookText(released));
    return { title, description: description.replace(/\s+/g, " ").replace(/[`*]/g, ""), file };
  });
  writeFileSync(join(folder, "notebooks", "index.json"), JSON.stringify(list));
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const file of readdirSync(path("site")))
  if (file !== "out" && file !== "jupyterlite") cpSync(path(`site/${file}`), join(folder, file));
await bundle(ENTRIES);
await copyServiceAssets(folder);
await copyTypeAssets(folder);
copyNotebooks();
await writeServiceWorker(folder, "page", ["./"], filesIn(folder));
process.stdout.write(`${folder}\n`);
