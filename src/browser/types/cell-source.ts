import { magicOf } from "../../kernels/cells/magics.ts";
import { isProgram } from "../../kernels/session/program-cell.ts";

const TIME = /^\s*%{1,2}time\b/;

/** The TypeScript of a cell, every place of which is where it is in the cell; undefined where it has none. */
export function typescriptOf(source: string): string | undefined {
  if (isProgram(source)) return undefined;
  const text = source.replace(TIME, magic => magic.replace(/\S/g, " "));
  const magic = magicOf(text, "typescript", () => true);
  return magic === undefined ? text : undefined;
}
