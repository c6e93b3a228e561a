import type { Notebook } from "../../ipynb/index.ts";
import { openService, type PageService, startServiceThread } from "../service/connect.ts";
import { type Kernel, openKernel } from "../workers.ts";
import { type Actions, editorKeys, listenToCommands, openToolbar } from "./commands.ts";
import type { Listed } from "./dialogs.ts";
import { button } from "./element.ts";
import { chooseFile, download, openFile, saveNotebook, savePage } from "./files.ts";
import { explain, type Found, findNotebook, keptAs, nameIn, openKeeper, openNamed } from "./keeper.ts";
import { keptNotebooks, read, write } from "./kept-notebooks.ts";
import { linkOf } from "./link.ts";
import { newNotebook, titleOf } from "./notebook.ts";
import { type NotebookView, openNotebookView } from "./notebook-view.ts";
import { keepOffline } from "./offline.ts";
import { embedPictures, listenToAnchors, listenToLinks } from "./output.ts";
import { openRunner, type Runner } from "./runner.ts";
import { addressIn, hostedService, isAskedFor, openFrom, openNotes } from "./storage.ts";
import { openTyping } from "./typing.ts";

/** The dialogs, which are loaded when one is opened. */
const dialogs = () => import("./dialogs.ts");
const NOTEBOOKS = "notebooks/index.json";
/** Key of the choice of light or dark. */
const SCHEME = "ketbook.scheme";

/** Starts the page: its notebook, which may be `loading` from elsewhere, its kernel and all that is around them. */
export async function startPage(loading?: Promise<Notebook>): Promise<void> {
  const bar = document.querySelector<HTMLElement>("#bar")!;
  const root = document.querySelector<HTMLElement>("#notebook")!;
  const notes = openNotes(document.querySelector<HTMLElement>("#notes")!);
  const base = document.baseURI;
  setScheme(read(SCHEME));
  const service = startServiceThread(new URL("service.js", base));
  let opened: Promise<PageService> | undefined;
  let runner: Runner | undefined;
  let view: NotebookView;
  let address = "";
  let hasService = false;
  let isBusy = false;
  let keepsOffline = false;
  const typing = openTyping(new URL("types.js", base), () => view?.views ?? []);
  const kernel: Kernel = openKernel({
    script: new URL("kernel.js", base),
    hosted: hostedService(),
    connect: service.connect,
    emit: source => typing.ask("emit", source),
    onMessage: message => runner?.take(message),
    onNotes(said) {
      notes.ofService(said);
      hasService = true;
      keepSoon();
    },
    onDownload: download,
    mayEnd: async () => (await dialogs()).askToEnd(),
  });

  const keeper = openKeeper({ notebook: () => view.notebook, tell: notes.show });
  const changed = () => {
    toolbar.setTitle(titleOf(view.notebook) ?? "Notebook");
    keeper.changed();
    typing.load();
    typing.check();
  };

  /** Loads what is for later, once nothing that is waited for has to be loaded. */
  function keepSoon(): void {
    if (keepsOffline || !hasService || isBusy) return;
    keepsOffline = true;
    void keepOffline(new URL("service-worker.js", base), notes);
  }

  const restart = () => {
    kernel.restart();
    runner?.reset();
  };
  /** Takes in the pictures that lie in files, where the notebook is to be saved. */
  const embed = async () => {
    await embedPictures(view.notebook).catch(() => undefined);
    for (const each of view.views) each.showOutputs();
  };
  const actions: Actions = {
    run: async cell => (await runner?.run(cell)) ?? false,
    save: () => void embed().then(() => saveNotebook(view.notebook)),
    interrupt: () => {
      runner?.clear();
      void kernel.interrupt();
    },
    restart,
    help: () => void dialogs().then(({ showHelp }) => showHelp()),
  };
  const runAll = () => {
    for (const each of view.views) void runner?.run(each);
  };
  const insert = (index: number) => {
    view.insert(index);
    view.select(index, "edit");
  };

  function show(notebook: Notebook): void {
    view?.destroy();
    view = openNotebookView(root, notebook, {
      keys: cell => editorKeys(() => view, cell, actions),
      assistance: typing.assistance,
      onRun: cell => void runner?.run(cell),
      onChange: changed,
    });
    toolbar.setTitle(titleOf(notebook) ?? "Notebook");
    address = location.href;
    markPlace();
    typing.check();
  }

  /** Replaces the shown notebook, whose variables are lost. */
  async function replace({ notebook, key, name }: Found): Promise<void> {
    restart();
    show(notebook);
    window.scrollTo(0, 0);
    if (name !== undefined) offerCopy(notebook);
    else if (key === undefined) warnOfKey();
    await keeper.follow(key, name !== undefined);
  }

  /** Whether nothing is lost with this notebook's variables, or the user agrees. */
  const mayLeave = async () => !runner?.hasRun() || (await dialogs()).askToLeave();

  /** Opens a notebook under its address, so Back returns to the previous one. */
  async function attempt(open: () => Promise<Found | undefined>): Promise<void> {
    try {
      const found = await open();
      if (!found || !(await mayLeave())) return;
      keeper.flush();
      const search = found.name === undefined ? "" : `?open=${found.name}`;
      history.pushState(null, "", location.pathname + search);
      await replace(found);
    } catch (error) {
      notes.show(explain(error));
    }
  }

  /** Offers the copy of a notebook of the site that was changed in this browser. */
  function offerCopy(notebook: Notebook): void {
    const copy = keptNotebooks().find(({ title }) => title === titleOf(notebook));
    if (copy)
      notes.show(`This is the original. This browser has your copy of ${copy.changed.toLocaleString()}.`, [
        "Open my copy",
        () => void attempt(async () => keptAs(copy.key)),
      ]);
  }

  /** Says what cells that are not the user's own can do, where there is something that they can do it with. */
  function warnOfKey(): void {
    const hosted = hostedService();
    if (hosted)
      notes.show(
        `Cells that you run use your account at ${new URL(hosted.url).host}, and can read its key. Read them first where they are not your own.`,
      );
  }

  const listed = async () => {
    const list = (await (await fetch(new URL(NOTEBOOKS, base))).json()) as Listed[];
    (await dialogs()).showNotebooks(
      list,
      each => void attempt(() => openNamed(each.file.replace(/\.ipynb$/, ""))),
    );
  };
  const share = async () => {
    const { showLink } = await dialogs();
    showLink(location.origin + location.pathname + (await linkOf(view.notebook)));
  };
  const showJobs = async () => {
    const { showKeptJobs } = await dialogs();
    opened ??= openService(service.connect());
    opened.then(
      kept => showKeptJobs({ thread: service, service: kept, onImport: restart }),
      (error: Error) => notes.show(error.message),
    );
  };
  const toolbar = openToolbar(bar, {
    runAll,
    interrupt: actions.interrupt,
    restart,
    add: () => insert(view.selected() + 1),
    menu: [
      ["New notebook", () => void attempt(async () => ({ notebook: newNotebook() }))],
      [
        "Notebooks in this browser …",
        () =>
          void dialogs().then(({ showKept }) =>
            showKept(keptNotebooks(), ({ key }) => void attempt(async () => keptAs(key))),
          ),
      ],
      ["Tour, gallery, course …", () => void listed()],
      [
        "Open a file …",
        () => void attempt(async () => await chooseFile().then(file => file && fromFile(file))),
      ],
      ["Open an address …", () => void dialogs().then(({ askAddress }) => askAddress(openFrom))],
      ["Save as .ipynb", actions.save],
      ["Save as .html", () => void embed().then(() => savePage(view.notebook, root))],
      ["Share a link …", () => void share()],
      ["Jobs in this browser …", () => void showJobs()],
      ["Service …", () => void dialogs().then(({ askService }) => askService(() => location.reload()))],
      ["Restart", restart],
      ["Light or dark", () => setScheme(currentScheme() === "dark" ? "light" : "dark")],
      ["Keys", actions.help],
    ],
  });
  toolbar.setBusy(false);
  runner = openRunner({
    kernel,
    onChange: keeper.changed,
    onBusy(busy) {
      isBusy = busy;
      toolbar.setBusy(busy);
      if (!busy) typing.load();
      keepSoon();
    },
  });

  const { notebook, key, name } = await findNotebook(notes.show, loading);
  if (name !== undefined && !location.hash) history.replaceState(null, "", `?open=${name}`);
  show(notebook);
  if (key !== undefined) void keeper.follow(key);
  else if (name === undefined) warnOfKey();
  else offerCopy(notebook);
  listenToCommands(() => view, actions);
  listenToAnchors(root);
  listenToLinks(found => void attempt(() => openNamed(found)));
  listenToDrops(file => void attempt(() => fromFile(file)));
  window.addEventListener("popstate", async ({ state }) => {
    if (addressIn(location.hash) && isAskedFor()) return location.reload();
    if (!(await mayLeave())) return keeper.stay(address);
    keeper.flush();
    history.replaceState(state, "");
    await replace(await findNotebook(notes.show));
  });
  window.addEventListener("pagehide", keeper.flush);
  document.addEventListener("visibilitychange", keeper.flush);
  const add = () => insert(view.views.length);
  root.append(button("+", add, { class: "more", "aria-label": "Add a cell at the end" }));
}

const fromFile = async (file: File): Promise<Found> => ({ notebook: await openFile(file) });

/** Marks which of the page's own notebooks is open. */
function markPlace(): void {
  const place = (search: string) => nameIn(search)?.split("/")[0];
  for (const link of document.querySelectorAll<HTMLAnchorElement>("#places a"))
    link.ariaCurrent = place(link.search) === place(location.search) ? "page" : null;
}

function listenToDrops(open: (file: File) => void): void {
  document.addEventListener("dragover", event => event.preventDefault());
  document.addEventListener("drop", event => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) open(file);
  });
}

function currentScheme(): string {
  const { scheme } = document.documentElement.dataset;
  return scheme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

function setScheme(scheme: string | undefined): void {
  if (scheme !== "dark" && scheme !== "light") return;
  document.documentElement.dataset.scheme = scheme;
  write(SCHEME, scheme);
}
