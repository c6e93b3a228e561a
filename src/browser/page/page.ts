import { NotebookError } from "../../ipynb/errors.ts";
import type { Notebook } from "../../ipynb/format.ts";
import { parseNotebook } from "../../ipynb/parse.ts";
import { notebookText } from "../../ipynb/text.ts";
import { openService, type PageService } from "../service/connect.ts";
import { startServiceThread } from "../service/start-thread.ts";
import { type Kernel, openKernel } from "../workers/kernel.ts";
import { type Actions, editorKeys, listenToCommands } from "./commands.ts";
import { askAddress, askService, type Listed, showHelp, showLink, showNotebooks } from "./dialogs.ts";
import { element } from "./element.ts";
import { chooseFile, download, openAddress, openFile, saveNotebook, savePage } from "./files.ts";
import { showKeptJobs } from "./kept-jobs.ts";
import { LinkError, linkOf, notebookIn } from "./link.ts";
import { newCell, newNotebook, titleOf } from "./notebook.ts";
import { type NotebookView, openNotebookView } from "./notebook-view.ts";
import { openNotes } from "./notes.ts";
import { keepOffline } from "./offline.ts";
import { FROM } from "./policy.ts";
import { openRunner, type Runner } from "./runner.ts";
import { hostedService, keepNotebook, keepScheme, keptNotebook, keptScheme } from "./storage.ts";
import { openToolbar } from "./toolbar.ts";
import { openTyping } from "./typing.ts";

const KEEP_DELAY_MS = 500;
const NOTEBOOKS = "notebooks/index.json";

/** Starts the page: its notebook, which may be `loading` from elsewhere, its kernel and all that is around them. */
export async function startPage(loading?: Promise<Notebook>): Promise<void> {
  const bar = document.querySelector<HTMLElement>("#bar")!;
  const root = document.querySelector<HTMLElement>("#notebook")!;
  const notes = openNotes(document.querySelector<HTMLElement>("#notes")!);
  const base = document.baseURI;
  setScheme(keptScheme());
  const service = startServiceThread({ script: new URL("service.js", base) });
  let opened: Promise<PageService> | undefined;
  let runner: Runner | undefined;
  let view: NotebookView;
  let hasService = false;
  let isBusy = false;
  let keepsOffline = false;
  let keeping: ReturnType<typeof setTimeout> | undefined;
  const typing = openTyping(new URL("types.js", base), () => view?.views ?? []);
  const kernel: Kernel = openKernel({
    script: new URL("kernel.js", base),
    hosted: hostedService(),
    connect: service.connect,
    emit: source => typing.ask("emit", { source }),
    onMessage: message => runner?.take(message),
    onNotes(said) {
      notes.ofService(said);
      hasService = true;
      keepSoon();
    },
    onDownload: download,
  });

  const keepLater = () => {
    clearTimeout(keeping);
    keeping = setTimeout(keep, KEEP_DELAY_MS);
  };
  const changed = () => {
    keepLater();
    typing.load();
    typing.check();
  };
  function keep(): void {
    toolbar.setTitle(titleOf(view.notebook) ?? "Notebook");
    if (!keepNotebook(notebookText(view.notebook)))
      notes.show("This notebook is too large for this browser to keep: save it as a file.");
  }

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
  const actions: Actions = {
    run: async cell => (await runner?.run(cell)) ?? false,
    save: () => saveNotebook(view.notebook),
    interrupt: () => {
      runner?.clear();
      void kernel.interrupt();
    },
    restart,
    help: showHelp,
  };
  const runAll = () => {
    for (const each of view.views) void runner?.run(each);
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
    typing.check();
  }

  /** Shows a notebook in the place of the one that is there, whose variables are lost. */
  function replace(notebook: Notebook): void {
    restart();
    history.replaceState(null, "", location.pathname + location.search);
    show(notebook);
    keep();
    window.scrollTo(0, 0);
  }

  async function attempt(open: () => Promise<Notebook | undefined>): Promise<void> {
    try {
      const notebook = await open();
      if (notebook) replace(notebook);
    } catch (error) {
      notes.show(explain(error));
    }
  }

  const listed = async () => {
    const list = (await (await fetch(new URL(NOTEBOOKS, base))).json()) as Listed[];
    showNotebooks(list, each => void attempt(() => openAddress(new URL(`notebooks/${each.file}`, base))));
  };
  const toolbar = openToolbar(bar, {
    runAll,
    interrupt: actions.interrupt,
    restart,
    add() {
      view.insert(view.selected() + 1);
      view.select(view.selected() + 1, "edit");
    },
    scheme: () => setScheme(currentScheme() === "dark" ? "light" : "dark"),
    menu: [
      ["New notebook", () => replace(newNotebook())],
      ["Tour, gallery, course …", () => void listed()],
      [
        "Open a file …",
        () => void attempt(async () => await chooseFile().then(file => file && openFile(file))),
      ],
      ["Open an address …", () => askAddress(openFrom)],
      ["Save as .ipynb", actions.save],
      ["Save as .html", () => void savePage(view.notebook, root)],
      [
        "Share a link …",
        () => void linkOf(view.notebook).then(link => showLink(location.origin + location.pathname + link)),
      ],
      [
        "Jobs in this browser …",
        () => {
          opened ??= openService(service.connect());
          opened.then(
            kept => showKeptJobs({ thread: service, service: kept, onImport: restart }),
            (error: Error) => notes.show(error.message),
          );
        },
      ],
      ["Service …", () => askService(() => location.reload())],
      ["Keys", showHelp],
    ],
  });
  toolbar.setBusy(false);
  runner = openRunner({
    kernel,
    onChange: keepLater,
    onBusy(busy) {
      isBusy = busy;
      toolbar.setBusy(busy);
      if (!busy) typing.load();
      keepSoon();
    },
  });

  show(await initialNotebook(loading, notes.show));
  listenToCommands(() => view, actions);
  listenToDrops(file => void attempt(() => openFile(file)));
  window.addEventListener("hashchange", () => void attempt(() => notebookIn(location.hash)));
  window.addEventListener("pagehide", keep);
  root.append(
    element(
      "button",
      {
        type: "button",
        class: "more",
        "aria-label": "Add a cell at the end",
        click: () => {
          view.insert(view.views.length, newCell("code"));
          view.select(view.views.length - 1, "edit");
        },
      },
      "+",
    ),
  );
}

async function initialNotebook(
  loading: Promise<Notebook> | undefined,
  tell: (text: string) => void,
): Promise<Notebook> {
  try {
    const opened = await (loading ?? notebookIn(location.hash));
    if (opened) return opened;
  } catch (error) {
    tell(explain(error));
  }
  const kept = keptNotebook();
  if (kept !== undefined)
    try {
      return parseNotebook(kept, { outputs: true });
    } catch {
      tell("The notebook that this browser had kept can't be read; here is the tour.");
    }
  return openAddress(new URL("notebooks/tour.ipynb", document.baseURI)).catch(() => newNotebook());
}

/** Opens a notebook elsewhere: the page is loaded anew, since it may speak to that server only then. */
function openFrom(address: string): void {
  location.hash = FROM + encodeURIComponent(address);
  location.reload();
}

function explain(error: unknown): string {
  if (error instanceof NotebookError || error instanceof LinkError) return error.message;
  return `This can't be opened: ${error instanceof Error ? error.message : String(error)}`;
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
  keepScheme(scheme);
}
