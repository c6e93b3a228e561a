import type { Cell, Notebook, Output } from "../../ipynb/index.ts";

export type CellType = Cell["cell_type"];

export function newCell(type: CellType, source = ""): Cell {
  const common = { id: crypto.randomUUID().slice(0, 8), metadata: {}, source };
  return type === "code"
    ? { cell_type: type, ...common, outputs: [], execution_count: null }
    : { cell_type: type, ...common };
}

/** A notebook of some cells, with the kernel of this page. */
export const newNotebook = (cells: Cell[] = [newCell("code")]): Notebook => ({
  cells,
  metadata: {
    kernelspec: { display_name: "TypeScript (Ketbook)", language: "typescript", name: "ketbook" },
    language_info: { file_extension: ".ts", mimetype: "text/typescript", name: "typescript" },
  },
});

export const converted = ({ id, metadata, source }: Cell, type: CellType): Cell => ({
  ...newCell(type, source),
  id,
  metadata,
});

/** The title of a notebook: its first heading; undefined where there is none. */
export function titleOf({ cells }: Notebook): string | undefined {
  for (const { cell_type, source } of cells) {
    const title = cell_type === "markdown" ? /^#\s+(.+)$/m.exec(source)?.[1]?.trim() : undefined;
    if (title) return title;
  }
  return undefined;
}

const fileNames = new WeakMap<Notebook, string>();

/** Remembers the name of the file that a notebook was read from, without its ending. */
export function setFileName(notebook: Notebook, path: string): Notebook {
  const name = path
    .split("/")
    .at(-1)!
    .replace(/\.ipynb$/i, "");
  if (name) fileNames.set(notebook, name);
  return notebook;
}

/** The name of the file that a notebook was read from, without its ending; undefined for a notebook from elsewhere. */
export const fileNameOf = (notebook: Notebook): string | undefined => fileNames.get(notebook);

export function setOutputs(cell: Cell, outputs: Output[], count: number | null): void {
  if (cell.cell_type === "code") Object.assign(cell, { outputs, execution_count: count });
}
