import { NotebookError } from "../../ipynb/errors.ts";
import type { Notebook } from "../../ipynb/format.ts";
import { openAddress } from "./files.ts";
import { keyOfTab } from "./keeper.ts";
import { keptNotebook, keptNotebooks } from "./kept-notebooks.ts";
import { LinkError, notebookIn } from "./link.ts";
import { newNotebook } from "./notebook.ts";
import type { Notes } from "./notes.ts";
import { addressIn, FROM, openFrom } from "./policy.ts";

/** A notebook to show: with the name that it is kept under, or with its name among those of the site. */
export interface Found {
  notebook: Notebook;
  key?: string;
  name?: string;
}

const NAME = /^[\w-]+(?:\/[\w-]+)*$/;
const EMPTY = "empty";

/** The name of a notebook of the site, such as `course/05-grover`, that an address of the page opens; undefined for none. */
export const nameIn = (search: string): string | undefined =>
  new URLSearchParams(search).get("open")?.replace(/\.ipynb$/, "");

/** Loads a notebook of the site. Throws a `LinkError` for a name that none can have, such as an address elsewhere. */
export async function openNamed(name: string): Promise<Found> {
  if (name === EMPTY) return { notebook: newNotebook(), name };
  if (!NAME.test(name))
    throw new LinkError(`“${name.slice(0, 100)}” is not a notebook of this page, such as course/05-grover.`);
  return { notebook: await openAddress(new URL(`notebooks/${name}.ipynb`, document.baseURI)), name };
}

/**
 * Finds the notebook of an address: the one of this tab, of a link, of the site, or that was changed last. One elsewhere
 * may be `loading`; a link to one is offered, and loads nothing by itself.
 */
export async function findNotebook(tell: Notes["show"], loading?: Promise<Notebook>): Promise<Found> {
  const kept = (key = "") => {
    const notebook = keptNotebook(key);
    return notebook && { notebook, key };
  };
  const ways = [
    async () => kept(keyOfTab()),
    async () => {
      const elsewhere = addressIn(location.hash);
      if (!loading && elsewhere) {
        tell(`This link opens a notebook of ${elsewhere.host}, which is not loaded unless you want it.`, [
          "Load it",
          () => openFrom(elsewhere.href),
        ]);
        return undefined;
      }
      if (!loading && location.hash.startsWith(FROM))
        throw new LinkError("This link names no address that a notebook could be loaded from.");
      const notebook = await (loading ?? notebookIn(location.hash));
      return notebook && { notebook };
    },
    async () => {
      const name = nameIn(location.search);
      return name === undefined ? undefined : openNamed(name);
    },
    async () => kept(keptNotebooks()[0]?.key),
    () => openNamed("tour"),
  ];
  for (const find of ways)
    try {
      const found = await find();
      if (found) return found;
    } catch (error) {
      tell(explain(error));
    }
  return { notebook: newNotebook() };
}

/** Says why a notebook can't be opened. */
export function explain(error: unknown): string {
  if (error instanceof NotebookError || error instanceof LinkError) return error.message;
  return `This can't be opened: ${error instanceof Error ? error.message : String(error)}`;
}
