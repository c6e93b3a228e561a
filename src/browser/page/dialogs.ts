import type { PageService, ServiceThread } from "../service/connect.ts";
import { COMMANDS } from "./commands.ts";
import { button, closeButton, element } from "./element.ts";
import { chooseFile, download } from "./files.ts";
import { forgetNotebook, type KeptNotebook } from "./kept-notebooks.ts";
import { hostedService, keepHostedService } from "./storage.ts";

/** Opens a dialog of a title and some content, in which strings are paragraphs. Closing it removes it. */
export function openDialog(title: string, ...content: readonly (Node | string)[]): HTMLDialogElement {
  const dialog = element("dialog", { "aria-label": title });
  const close = closeButton(() => dialog.close());
  const nodes = content.map(each => (typeof each === "string" ? element("p", {}, each) : each));
  dialog.append(element("header", {}, element("h2", {}, title), close), ...nodes);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function showHelp(): void {
  const rows = COMMANDS.map(([keys, what]) =>
    element("tr", {}, element("th", { scope: "row" }, element("kbd", {}, keys)), element("td", {}, what)),
  );
  openDialog("Keys", element("table", { class: "keys" }, element("tbody", {}, ...rows)));
}

export interface Listed {
  title: string;
  description: string;
  file: string;
}

export function showNotebooks(list: readonly Listed[], open: (listed: Listed) => void): void {
  const dialog = openDialog(
    "Notebooks",
    ...list.map(each =>
      listed(each.title, each.description, () => {
        dialog.close();
        open(each);
      }),
    ),
  );
}

/** Lists the notebooks that this browser keeps, to be opened or removed. */
export function showKept(list: readonly KeptNotebook[], open: (kept: KeptNotebook) => void): void {
  const dialog = openDialog(
    "Notebooks in this browser",
    list.length > 0
      ? "Your changes are kept here until you remove them or the browser runs out of room. To keep a notebook for good, save it as a file."
      : "No notebooks yet.",
    ...list.map(each => {
      const row = element(
        "div",
        { class: "row" },
        listed(each.title, each.changed.toLocaleString(), () => {
          dialog.close();
          open(each);
        }),
        closeButton(() => {
          forgetNotebook(each.key);
          row.remove();
        }, `Remove ${each.title}`),
      );
      return row;
    }),
  );
}

const listed = (title: string, description: string, click: () => void) =>
  element(
    "button",
    { type: "button", class: "listed", click },
    element("strong", {}, title),
    element("span", {}, description),
  );

export function showLink(link: string): void {
  const field = element("textarea", { readonly: true, rows: "4", "aria-label": "Link" });
  field.value = link;
  const copied = element("span", { role: "status" });
  const copy = button(
    "Copy",
    () =>
      void navigator.clipboard.writeText(link).then(
        () => copied.replaceChildren("Copied."),
        () => field.select(),
      ),
    { class: "primary" },
  );
  const said = `The link holds the sources of all cells, ${link.length.toLocaleString("en")} characters, and no outputs. Nothing runs until the reader runs it.`;
  openDialog("Share", said, field, element("p", { class: "row" }, copy, copied));
  field.select();
}

/** Makes a form of some fields and the button that submits it. */
const formOf = (layout: "row" | "stack", fields: readonly HTMLInputElement[], submit: string) =>
  element(
    "form",
    { class: layout, method: "dialog" },
    ...fields,
    element("button", { class: "primary", type: "submit" }, submit),
  );

export function askAddress(open: (address: string) => void): void {
  const field = element("input", {
    type: "url",
    required: true,
    placeholder: "https://…/notebook.ipynb",
    "aria-label": "Address of a notebook",
  });
  const form = formOf("row", [field], "Open");
  form.addEventListener("submit", () => open(field.value));
  openDialog("Open an address", "The server must let other pages read its files (CORS).", form);
}

/** Asks whether the kernel may be ended, as a busy cell can't be stopped in another way. */
export const askToEnd = (): Promise<boolean> =>
  confirmed(
    "Stop the busy cell?",
    "The cell is too busy to be stopped separately. If you stop it, all variables are lost, and you must rerun the cells above. Jobs continue, and the notebook stays as it is.",
    ["Stop, and lose all variables", "Let it run"],
  );

/** Asks whether the variables of the open notebook may be lost. */
export const askToLeave = (): Promise<boolean> =>
  confirmed(
    "Open another notebook?",
    "This notebook stays in this browser as it is, but its variables are lost. When you come back, run its cells again.",
    ["Open it", "Stay here"],
  );

function confirmed(title: string, text: string, [yes, no]: readonly [string, string]): Promise<boolean> {
  const dialog = openDialog(
    title,
    text,
    element(
      "form",
      { class: "row", method: "dialog" },
      element("button", { class: "primary", value: "yes" }, yes),
      element("button", {}, no),
    ),
  );
  return new Promise(resolve => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"));
  });
}

/** Asks for a hosted service. `change` hears when it has been changed. */
export function askService(change: () => void): void {
  const known = hostedService();
  const url = element("input", {
    type: "url",
    required: true,
    value: known?.url ?? "",
    placeholder: "https://…/api/v1",
    "aria-label": "Address of the service",
  });
  const key = element("input", {
    type: "password",
    required: true,
    autocomplete: "off",
    value: known?.apiKey ?? "",
    placeholder: "API key",
    "aria-label": "API key",
  });
  const form = formOf("stack", [url, key], "Use this service");
  const said = element("p", { role: "status" });
  form.addEventListener("submit", event => {
    event.preventDefault();
    if (keepHostedService({ url: url.value, apiKey: key.value })) change();
    else said.replaceChildren("This browser keeps nothing for this page, as in a private window.");
  });
  const own = button("Use the page's own service", () => {
    keepHostedService(undefined);
    change();
  });
  openDialog(
    "Service",
    known
      ? `Cells use ${new URL(known.url).host}.`
      : "Cells use the service in this page: simulators and emulated devices, which need no network.",
    "The address and the key are kept only in this browser, and sent only to that service. Every cell that you run can read them. The service has to allow this page (CORS). The page reloads, and variables are lost.",
    form,
    said,
    ...(known ? [own] : []),
  );
}

interface KeptJobsParts {
  thread: ServiceThread;
  service: PageService;
  /** Called when other jobs are kept than before. */
  onImport(): void;
}

const FILES = ".sqlite,.ketbook,application/vnd.sqlite3";

/** Shows what this browser keeps of jobs, and exports, imports, or keeps them permanently. */
export function showKeptJobs({ thread, service, onImport }: KeptJobsParts): void {
  const said = element("p", { role: "status" });
  const action = (label: string, act: () => Promise<string | undefined>) =>
    button(label, () =>
      act().then(
        text => text !== undefined && said.replaceChildren(text),
        (error: Error) => said.replaceChildren(error.message),
      ),
    );
  const { storage, mayBeEvicted } = service.status;
  const where =
    storage === "memory"
      ? "This browser keeps no files for pages: jobs, results and credits last until the tab is closed."
      : `Jobs, results and credits are kept in this browser${mayBeEvicted ? ", which may remove them when it runs out of room" : " for good"}.`;
  openDialog(
    "Jobs",
    where,
    "An export is a file like that of “ketbook export”: another page imports it here, a data folder or a PostgreSQL database by “ketbook import”. An import replaces all that is kept here.",
    element(
      "div",
      { class: "row" },
      action("Export", async () => {
        const archive = await service.exportArchive();
        download("ketbook.sqlite", new Uint8Array(await archive.arrayBuffer()), "application/vnd.sqlite3");
        return "All jobs are in the file ketbook.sqlite.";
      }),
      action("Import …", async () => {
        const file = await chooseFile(FILES);
        if (!file) return undefined;
        const jobs = await service.importArchive(file);
        onImport();
        return `${jobs.toLocaleString("en")} ${jobs === 1 ? "job is" : "jobs are"} imported. The kernel was restarted.`;
      }),
      mayBeEvicted &&
        action("Keep for good", async () =>
          (await thread.persist())
            ? "The browser keeps them until you remove them."
            : "The browser does not promise that. Many do for a page that is bookmarked or installed.",
        ),
    ),
    said,
  );
}
