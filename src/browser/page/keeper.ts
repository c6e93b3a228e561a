import { type Notebook, NotebookError } from "../../ipynb/index.ts";
import { openAddress } from "./files.ts";
import { forgetNotebook, keepNotebook, keptNotebook, keptNotebooks, newKey } from "./kept-notebooks.ts";
import { LinkError, notebookIn } from "./link.ts";
import { newNotebook } from "./notebook.ts";
import { addressIn, FROM, type Notes, openFrom } from "./storage.ts";

interface KeeperParts {
  notebook(): Notebook;
  tell(text: string): void;
}

const KEEP_DELAY_MS = 500;

/** For how long a page may still have the notebook of this tab, or another one, that has just been left. */
const FREE_WITHIN_MS = { own: 5000, other: 500 };

const SAID = {
  sources:
    "This browser has no room for the outputs of this notebook, so it keeps only the sources. Save it as a file.",
  nothing:
    "This browser keeps nothing for this page, as in a private window, or has no room. Save the notebook as a file.",
  copy: "This notebook is open in another tab. What you change here is kept as another notebook.",
};

/** The name under which the notebook of this tab is kept, which lasts when the page is reloaded. */
export const keyOfTab = (): string | undefined => (history.state as { kept?: string } | null)?.kept;

/** Opens what keeps the notebook of this tab in the browser, apart from those of other tabs. */
export function openKeeper({ notebook, tell }: KeeperParts) {
  let key: string | undefined;
  let release: (() => void) | undefined;
  /** Whether it is not known yet if another tab has it. */
  let isTaking = false;
  /** Whether nothing was changed in it since it was opened here. */
  let isFresh = true;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function keep(): void {
    clearTimeout(timer);
    timer = undefined;
    if (key === undefined) {
      key = newKey();
      void take(key);
    }
    const kept = keepNotebook(key, notebook());
    if (kept !== "all") tell(SAID[kept]);
    history.replaceState({ kept: key }, "");
  }

  /** Takes a name for this tab. Returns whether no other tab has it. */
  async function take(name: string): Promise<boolean> {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    isTaking = true;
    const taken = await takeLock(name, ended, FREE_WITHIN_MS[keyOfTab() === name ? "own" : "other"]);
    isTaking = false;
    if (taken) release = end;
    return taken;
  }

  /** Keeps it a moment later, as it has been changed. */
  function changed(): void {
    isFresh = false;
    clearTimeout(timer);
    timer = setTimeout(() => (isTaking ? changed() : keep()), KEEP_DELAY_MS);
  }

  return {
    changed,
    /** Keeps it now, where it has been changed. */
    flush() {
      if (timer !== undefined) keep();
    },
    /** Returns to the address of the notebook after Back or Forward left it. */
    stay(address: string) {
      history.pushState(key === undefined ? null : { kept: key }, "", address);
    },
    /**
     * Continues with another notebook, which is kept under a name already, kept from now on, or, as `isOfSite`, once it is
     * changed. One that another tab has open is kept as a copy.
     */
    async follow(next?: string, isOfSite = false) {
      release?.();
      if (key !== undefined && isFresh) forgetNotebook(key);
      key = undefined;
      isFresh = next === undefined;
      if (isOfSite) return;
      if (next === undefined) keep();
      else if ((await take(next)) && key === undefined) {
        key = next;
        history.replaceState({ kept: key }, "");
      } else tell(SAID.copy);
    },
  };
}

/** Resolves with whether a lock was free in time, which is held until a promise resolves. */
function takeLock(name: string, ended: Promise<void>, withinMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return Promise.resolve(true);
  const hold = () => {
    resolve(true);
    return ended;
  };
  locks.request(name, { signal: AbortSignal.timeout(withinMs) }, hold).catch(() => resolve(false));
  return promise;
}

/** A notebook to show: with the name that it is kept under, or with its name among those of the site. */
export interface Found {
  notebook: Notebook;
  key?: string;
  name?: string;
}

const NAME = /^[\w-]+(?:\/[\w-]+)*$/;
const EMPTY = "empty";

/** The name of a notebook of the site, such as `course/10-grover`, that an address of the page opens; undefined for none. */
export const nameIn = (search: string): string | undefined =>
  new URLSearchParams(search).get("open")?.replace(/\.ipynb$/, "");

/** Loads a notebook of the site. Throws a `LinkError` for a name that none can have, such as an address elsewhere. */
export async function openNamed(name: string): Promise<Found> {
  if (name === EMPTY) return { notebook: newNotebook(), name };
  if (!NAME.test(name))
    throw new LinkError(`“${name.slice(0, 100)}” is not a notebook of this page, such as course/10-grover.`);
  return { notebook: await openAddress(new URL(`notebooks/${name}.ipynb`, document.baseURI)), name };
}

/** Returns a notebook that this browser keeps; undefined for one that was removed. */
export function keptAs(key = ""): Found | undefined {
  const notebook = keptNotebook(key);
  return notebook && { notebook, key };
}

/**
 * Finds the notebook of an address: the one of this tab, of a link, of the site, or that was changed last. One elsewhere
 * may be `loading`; a link to one is offered, and loads nothing by itself.
 */
export async function findNotebook(tell: Notes["show"], loading?: Promise<Notebook>): Promise<Found> {
  const ways = [
    async () => keptAs(keyOfTab()),
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
    async () => keptAs(keptNotebooks()[0]?.key),
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

export function explain(error: unknown): string {
  if (error instanceof NotebookError || error instanceof LinkError) return error.message;
  return `This can't be opened: ${error instanceof Error ? error.message : String(error)}`;
}
