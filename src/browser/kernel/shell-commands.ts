import type { Failure } from "../../kernels/cells/index.ts";

/** Failure of a magic that cannot be carried out. */
export const magicFailure = (evalue: string): Failure => ({
  ename: "MagicError",
  evalue,
  traceback: [`MagicError: ${evalue}`],
});

/** Failure of a cell that is a shell command; undefined for any other cell. */
export const refusedCommand = (code: string): Failure | undefined =>
  code.trimStart().startsWith("!") ? magicFailure("A browser runs no commands of a shell.") : undefined;
