import type { JupyterFrontEndPlugin } from "@jupyterlab/application";
import { INotebookCellExecutor, runCell } from "@jupyterlab/notebook";

/**
 * A plugin by which a cell that is run waits until its notebook has a kernel. JupyterLab's own starts a second kernel
 * for a notebook that has just been opened, and loses what runs in the first.
 */
export const cellExecutor: JupyterFrontEndPlugin<INotebookCellExecutor> = {
  id: "ketbook:cell-executor",
  description: "Runs cells when their notebook has its kernel.",
  autoStart: true,
  provides: INotebookCellExecutor,
  activate: () => ({
    async runCell(options) {
      if (options.cell.model.type === "code") await options.sessionContext?.initialize();
      return runCell(options);
    },
  }),
};
