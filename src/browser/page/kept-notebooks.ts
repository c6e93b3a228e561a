import { attempted, succeeds } from "../../host/attempted.ts";
import { type Notebook, notebookText, parseNotebook } from "../../ipynb/index.ts";
import { fileNameOf, setFileName, titleOf } from "./notebook.ts";

/** Returns the notebook kept under a name; undefined if there is none, or the browser keeps nothing for pages. */
export const read = (key: string): string | undefined =>
  attempted(() => localStorage.getItem(key)) ?? undefined;

/** Keeps a string under a name. Returns whether there was room for it. */
export const write = (key: string, value: string): boolean =>
  succeeds(() => localStorage.setItem(key, value));

/** Removes what is kept under a name. Returns whether it could. */
export const remove = (key: string): boolean => succeeds(() => localStorage.removeItem(key));

/** The names that begin with something, under which this browser keeps something. */
const keysIn = (prefix: string): string[] =>
  (attempted(() => Object.keys(localStorage)) ?? []).filter(key => key.startsWith(prefix));

export interface KeptNotebook {
  /** The name that it is kept under. */
  key: string;
  title: string;
  changed: Date;
}

const PREFIX = "ketbook.notebook";
/** Header kept before the text of a notebook: time of change, title, and file name if it has one. */
const HEAD = /^(\d+) ([^\t\n]*)\t?(.*)\n/;
const MAX_KEPT = 100;

/** Maximum characters that a browser stores for a page. */
const MAX_CHARACTERS = 5_000_000;

export const newKey = (): string => `${PREFIX}.${crypto.randomUUID()}`;

/** Lists the notebooks that this browser keeps, the one that was changed last first. */
export function keptNotebooks(): KeptNotebook[] {
  return keysIn(PREFIX)
    .map(key => {
      const [, at = "0", title = "Notebook"] = HEAD.exec(read(key) ?? "") ?? [];
      return { key, title, changed: new Date(Number(at)) };
    })
    .sort((a, b) => b.changed.getTime() - a.changed.getTime());
}

/** Returns the notebook that is kept under a name; undefined for none. Throws a `NotebookError` where it can't be read. */
export function keptNotebook(key: string): Notebook | undefined {
  const text = read(key);
  if (text === undefined) return undefined;
  const notebook = parseNotebook(text.replace(HEAD, ""), { outputs: true });
  return setFileName(notebook, HEAD.exec(text)?.[3] ?? "");
}

/**
 * Keeps a notebook. Where there is no room, others are kept without their outputs, the oldest first, and at last this one
 * too. Returns the kept part.
 */
export function keepNotebook(key: string, notebook: Notebook): "all" | "sources" | "nothing" {
  const all = notebookText(notebook);
  const title = titleOf(notebook)?.replaceAll("\t", " ") ?? "Notebook";
  const head = [`${Date.now()} ${title}`, fileNameOf(notebook) ?? []].flat().join("\t");
  const put = (text: string) => write(key, `${head}\n${text}`);
  if (read(key) === undefined) for (const { key: old } of keptNotebooks().slice(MAX_KEPT - 1)) remove(old);
  if (put(all)) return "all";
  if (all.length < MAX_CHARACTERS)
    for (const other of keptNotebooks().reverse())
      if (other.key !== key && dropOutputs(other.key) && put(all)) return "all";
  return put(notebookText(withoutOutputs(notebook))) ? "sources" : "nothing";
}

export const forgetNotebook = remove;

function dropOutputs(key: string): boolean {
  const text = read(key) ?? "";
  const head = HEAD.exec(text)?.[0] ?? "";
  const sources = attempted(() => notebookText(withoutOutputs(parseNotebook(text.slice(head.length)))));
  return sources !== undefined && head.length + sources.length < text.length && write(key, head + sources);
}

const withoutOutputs = ({ cells, metadata }: Notebook): Notebook => ({
  metadata,
  cells: cells.map(cell =>
    cell.cell_type === "code" ? { ...cell, outputs: [], execution_count: null } : cell,
  ),
});
