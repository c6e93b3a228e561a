import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const UNDATED = new Date(0).toISOString();

/** Copies the notebooks of a site without outputs to where JupyterLite looks for files, and lists each folder of them. */
export function writeContents(notebooks: string, root: string): void {
  for (const file of readdirSync(notebooks, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ipynb") || file === "course.ipynb") continue;
    const target = join(root, "files", file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, withoutOutputs(readFileSync(join(notebooks, file), "utf8")));
  }
  list(join(root, "files"));

  function list(folder: string): void {
    const path = relative(join(root, "files"), folder).replaceAll("\\", "/");
    const entries = readdirSync(folder).sort();
    const content = entries.map(name => modelOf(join(folder, name), path ? `${path}/${name}` : name, name));
    const target = join(root, "api/contents", path);
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, "all.json"), JSON.stringify({ ...directory(path, ""), content }));
    for (const name of entries) if (statSync(join(folder, name)).isDirectory()) list(join(folder, name));
  }
}

function withoutOutputs(text: string): string {
  const notebook: { cells: { cell_type: string }[] } = JSON.parse(text);
  const cells = notebook.cells.map(cell =>
    cell.cell_type === "code" ? { ...cell, outputs: [], execution_count: null } : cell,
  );
  return JSON.stringify({ ...notebook, cells });
}

const directory = (path: string, name: string) => ({
  ...{ name, path, type: "directory", format: "json", mimetype: null, size: null, content: null },
  ...{ created: UNDATED, last_modified: UNDATED, writable: true },
});

function modelOf(file: string, path: string, name: string): object {
  const stats = statSync(file);
  if (stats.isDirectory()) return directory(path, name);
  return { ...directory(path, name), type: "notebook", size: stats.size };
}
