import { NotebookError } from "../ipynb/index.ts";

/** Does the work of a command on notebooks; where that fails for a reason outside of Ketbook, says it, and lets the process end with 1. */
export async function explained(command: string, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!(error instanceof NotebookError) && !code) throw error;
    process.stderr.write(`ketbook ${command}: ${message}\n`);
    process.exitCode = 1;
  }
}
