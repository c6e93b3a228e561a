import type { Failure } from "../../kernels/errors/failure.ts";

const evalue = "A browser runs no commands of a shell.";

/** Says why a cell that is a command of a shell is not run; nothing for any other cell. */
export const refusedCommand = (code: string): Failure | undefined =>
  code.trimStart().startsWith("!")
    ? { ename: "MagicError", evalue, traceback: [`MagicError: ${evalue}`] }
    : undefined;
