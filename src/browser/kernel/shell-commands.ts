import { type Failure, plainFailure } from "../../kernels/cells/index.ts";

/** Failure of a cell that is a shell command; undefined for any other cell. */
export const refusedCommand = (code: string): Failure | undefined =>
  code.trimStart().startsWith("!")
    ? plainFailure("MagicError", "A browser runs no commands of a shell.")
    : undefined;
