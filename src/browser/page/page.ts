import type { Notebook } from "../../ipynb/format.ts";
import { openService, type PageService } from "../service/connect.ts";
import { startServiceThread } from "../service/start-thread.ts";
import { type Kernel, openKernel } from "../workers/kernel.ts";
import { listenToAnchors } from "./anchors.ts";
import { type Actions, editorKeys, listenToCommands } from "./commands.ts";
import {
  askAddress,
  askService,
  type Listed,
  showHelp,
  showKept,
  showLink,
  showNotebooks,
} from "./dialogs.ts";
import { element } from "./element.ts";
import { chooseFile, download, openAddress, openFile, saveNotebook, savePage } from "./files.ts";
import { explain, initialNotebook } from "./initial-notebook.ts";
import { openKeeper } from "./keeper.ts";
import { showKeptJobs } from "./kept-jobs.ts";
import { keptNotebook, keptNotebooks } from "./kept-notebooks.ts";
import { linkOf, notebookIn } from "./link.ts";
import { newCell, newNotebook, titleOf } from "./notebook.ts";
import { type NotebookView, openNotebookView } from "./notebook-view.ts";
import { openNotes } from "./notes.ts";
import { keepOffline } from "./offline.ts";
import { addressIn, FROM } from "./policy.ts";
import { openRunner, type Runner } from "./runner.ts";
import { hostedService, keepScheme, keptScheme } from "./storage.ts";
import { openToolbar } from "./toolbar.ts";
import { openTyping } from "./typing.ts";

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

  /** Shows a notebook, of those that are kept or another, in the place of the one that is there, whose variables are lost. */
  async function replace(notebook: Notebook, key?: string): Promise<void> {
    restart();
    keeper.flush();
    history.replaceState(null, "", location.pathname + location.search);
    show(notebook);
    window.scrollTo(0, 0);
    await keeper.follow(key);
  }

  async function attempt(open: () => Promise<Notebook | undefined>, key?: string): Promise<void> {
    try {
      const notebook = await open();
      if (notebook && key === undefined) warnOfKey();
      if (notebook) await replace(notebook, key);
    } catch (error) {
      notes.show(explain(error));
    }
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
      ["New notebook", () => void replace(newNotebook())],
      [
        "Notebooks in this browser …",
        () => showKept(keptNotebooks(), ({ key }) => void attempt(async () => keptNotebook(key), key)),
      ],
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
    onChange: keeper.changed,
    onBusy(busy) {
      isBusy = busy;
      toolbar.setBusy(busy);
      if (!busy) typing.load();
      keepSoon();
    },
  });

  const { notebook, key } = await initialNotebook(loading, notes.show);
  show(notebook);
  if (key !== undefined) void keeper.follow(key);
  else warnOfKey();
  listenToCommands(() => view, actions);
  listenToAnchors(root);
  listenToDrops(file => void attempt(() => openFile(file)));
  window.addEventListener("hashchange", () => {
    if (addressIn(location.hash)) location.reload();
    else void attempt(() => notebookIn(location.hash));
  });
  window.addEventListener("pagehide", keeper.flush);
  document.addEventListener("visibilitychange", keeper.flush);
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

/** Opens a notebook elsewhere: the page is loaded anew, since it may speak to that server only then. */
function openFrom(address: string): void {
  location.hash = FROM + encodeURIComponent(address);
  location.reload();
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
