import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { bundlesOf, type Notebook } from "../../src/ipynb/format.ts";
import { parseNotebook } from "../../src/ipynb/parse.ts";
import { releaseNotebook } from "../../src/ipynb/release.ts";
import { notebookText } from "../../src/ipynb/text.ts";
import { licenceNotices } from "../chunks.ts";
import { vegaAliases } from "../vega/aliases.ts";
import { writeFonts } from "./fonts.ts";
import { filesIn, writeServiceWorker } from "./offline.ts";
import { copyServiceAssets, SERVICE_ENTRIES } from "./service.ts";
import { forPages } from "./substitutes.ts";
import { compilerBeside, copyTypeAssets } from "./types.ts";
import { withoutUnusedParts } from "./unused-parts.ts";

/** Builds Ketbook in a browser as static files, and prints their folder last: node tools/site/build.ts [folder] */
const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const folder = process.argv[2] ?? path("site/out");

const PNG = "image/png";

/** The scripts of the site, which share what they have in common. */
const ENTRIES = {
  page: "src/browser/page/main.ts",
  kernel: "src/browser/kernel/worker.ts",
  types: "src/browser/types/worker.ts",
  ...SERVICE_ENTRIES,
};

const shared = {
  platform: "browser" as const,
  resolve: {
    conditionNames: ["browser", "import"],
    alias: { ...vegaAliases(), entities: path("src/browser/page/entities.ts") },
  },
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

/** Moves the pictures of outputs into files of their own, which a page loads when they come into view. */
function movePictures(notebook: Notebook): void {
  for (const { data, metadata } of bundlesOf(notebook)) {
    const picture = data[PNG];
    if (typeof picture !== "string") continue;
    const bytes = Buffer.from(picture, "base64");
    const file = `pictures/${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}.png`;
    mkdirSync(join(folder, "notebooks/pictures"), { recursive: true });
    writeFileSync(join(folder, "notebooks", file), bytes);
    delete data[PNG];
    metadata[PNG] = { ...(metadata[PNG] as object), file };
  }
}

interface Listed {
  title: string;
  description: string;
  file: string;
}

/** The notebook that lists the lessons of the course. */
function courseOf(lessons: readonly Listed[]): string {
  const lines = lessons.map(({ title, description, file }) => `- [${title}](${file}) ${description}`);
  const source = `# The course\n\nEach lesson has exercises whose answers are checked where you write them. What you write is kept in this browser.\n\n${lines.join("\n")}`;
  return notebookText({
    metadata: {},
    cells: [{ cell_type: "markdown", id: "lessons", metadata: {}, source }],
  });
}

/** Copies the notebooks with their outputs, and the course without its solutions. */
function copyNotebooks(): void {
  const files = readdirSync(path("notebooks"), { recursive: true })
    .map(String)
    .filter(file => file.endsWith(".ipynb") && !file.startsWith("out"))
    .sort((a, b) => Number(b === "tour.ipynb") - Number(a === "tour.ipynb") || a.localeCompare(b));
  const list = files.map((file): Listed => {
    const notebook = parseNotebook(readFileSync(path(`notebooks/${file}`), "utf8"), { outputs: true });
    const released = file.startsWith("course/") ? releaseNotebook(notebook) : notebook;
    const prose = released.cells.find(cell => cell.cell_type === "markdown")?.source ?? "";
    const [, title = file, rest = ""] = /^#\s+(.+)\n([\s\S]*)/.exec(prose) ?? [];
    const [paragraph = ""] = rest.trim().split("\n\n");
    const [description = ""] = paragraph.startsWith("*") ? [paragraph] : paragraph.split(/(?<=\.)\s/);
    mkdirSync(join(folder, "notebooks", file, ".."), { recursive: true });
    movePictures(released);
    writeFileSync(join(folder, "notebooks", file), notebookText(released));
    return { title, description: description.replace(/\s+/g, " ").replace(/[`*]/g, ""), file };
  });
  writeFileSync(join(folder, "notebooks", "index.json"), JSON.stringify(list));
  const lessons = list.filter(({ file }) => file.startsWith("course/"));
  writeFileSync(join(folder, "notebooks", "course.ipynb"), courseOf(lessons));
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const file of readdirSync(path("site")))
  if (file !== "out" && file !== "jupyterlite") cpSync(path(`site/${file}`), join(folder, file));
writeFonts(folder);
await bundle(ENTRIES);
await copyServiceAssets(folder);
await copyTypeAssets(folder);
copyNotebooks();
await writeServiceWorker(folder, "page", ["./"], filesIn(folder));
process.stdout.write(`${folder}\n`);
