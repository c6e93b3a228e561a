import { ILabShell, type JupyterFrontEnd, type JupyterFrontEndPlugin } from "@jupyterlab/application";

const FIRST = "tour.ipynb";

/** A plugin that opens the tour where nothing else is open: no document of an address, and none of the last visit. */
export const firstNotebook: JupyterFrontEndPlugin<void> = {
  id: "ketbook:first-notebook",
  description: "Opens the tour at the first visit.",
  autoStart: true,
  requires: [ILabShell],
  activate(app: JupyterFrontEnd, shell: ILabShell) {
    const isAsked = new URLSearchParams(location.search).has("path");
    void Promise.all([app.restored, shell.restored]).then(([, layout]) => {
      if (!isAsked && layout.fresh) void app.commands.execute("docmanager:open", { path: FIRST });
    });
  },
};
