import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

interface FileCell {
  cell_type: string;
  outputs?: { data?: Record<string, unknown> }[];
}

/** How a front end shows an output: as the still picture of a chart, or as HTML. */
export type Shape = "picture" | "html";

/** Executes the gallery by the built command; the executed notebook, its page, and what each code cell gave. */
export function executedGallery(folder: string): { notebook: string; page: string; shapes: Shape[][] } {
  const [notebook, page] = [join(folder, "gallery.ipynb"), join(folder, "gallery.html")];
  const source = join(root, "notebooks/gallery.ipynb");
  const command = [join(root, "dist/cli.js"), "run", source, "--output", notebook, "--html", page];
  execFileSync(process.execPath, command, { stdio: "ignore" });
  const { cells } = JSON.parse(readFileSync(notebook, "utf8")) as { cells: FileCell[] };
  const shapes = cells
    .filter(({ cell_type }) => cell_type === "code")
    .map(({ outputs = [] }) =>
      outputs.map(({ data = {} }): Shape => ("image/png" in data ? "picture" : "html")),
    );
  return { notebook, page, shapes };
}
