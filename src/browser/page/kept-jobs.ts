import type { PageService, ServiceThread } from "../service/connect.ts";
import { openDialog } from "./dialogs.ts";
import { button, element } from "./element.ts";
import { chooseFile, download } from "./files.ts";

/** Dependencies of the dialog about kept jobs. */
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
    element("p", {}, where),
    element(
      "p",
      {},
      "An export is a file like that of “ketbook export”: another page imports it here, a data folder or a PostgreSQL database by “ketbook import”. An import replaces all that is kept here.",
    ),
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
