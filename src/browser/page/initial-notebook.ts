import { NotebookError } from "../../ipynb/errors.ts";
import type { Notebook } from "../../ipynb/format.ts";
import { openAddress } from "./files.ts";
import { keyOfTab } from "./keeper.ts";
import { keptNotebook, keptNotebooks } from "./kept-notebooks.ts";
import { LinkError, notebookIn } from "./link.ts";
import { newNotebook } from "./notebook.ts";
import { FROM } from "./policy.ts";

/** Finds the notebook that the page begins with: the one of this tab, of its address, or that was changed last. */
export async function initialNotebook(
  loading: Promise<Notebook> | undefined,
  tell: (text: string) => void,
): Promise<{ notebook: Notebook; key?: string }> {
  const kept = (key = "") => {
    const notebook = keptNotebook(key);
    return notebook && { notebook, key };
  };
  const ways = [
    async () => kept(keyOfTab()),
    async () => {
      if (!loading && location.hash.startsWith(FROM))
        throw new LinkError("This link names no address that a notebook could be loaded from.");
      const notebook = await (loading ?? notebookIn(location.hash));
      return notebook && { notebook };
    },
    async () => kept(keptNotebooks()[0]?.key),
    async () => ({ notebook: await openAddress(new URL("notebooks/tour.ipynb", document.baseURI)) }),
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
