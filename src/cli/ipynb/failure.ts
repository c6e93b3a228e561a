import { stripVTControlCharacters } from "node:util";
import type { ErrorOutput } from "../../ipynb/format.ts";
import type { CellOutputs } from "../../ipynb/outputs.ts";

const DIAGNOSTIC = /^(?:\S+ )?\d+:\d+ - /;
const KERNEL_FRAME =
  /\((?:node:[^)]*|[^)]*[\\/]tslab[\\/]dist[\\/][^)]*)\)|^\s*at (?:async )?(?:node:|[^( ]*[\\/]tslab[\\/]dist[\\/])/;
const SOURCE_EXCERPT =
  /^(?:evalmachine\.<anonymous>|<anonymous_script>|node:[\w/]+|(?:file:\/\/|\/|[A-Z]:\\)[^\n]*):\d+\n[\s\S]*?\n\n(?=\S)/;
const FRAME = /^\s+at /;
const CELL_POSITION = /evalmachine\.<anonymous>:\d+:\d+/g;
const HEADING = /^(?:Uncaught )?([A-Za-z_$][\w$]*(?: \[[\w$]+\])?)(?:: ([\s\S]*))?$/;

/**
 * Turns the text that tslab prints for a failing cell into an error, and takes that text out of the cell's
 * outputs. tslab sends no error message of its own: what it prints last on standard error says what happened.
 */
export function takeFailure(cell: CellOutputs): ErrorOutput {
  const sent = cell.outputs.findLast(output => output.output_type === "error");
  if (sent) return sent;
  const diagnostics = trailingDiagnostics(cell.errorTexts);
  const texts = diagnostics.length > 0 ? diagnostics : cell.errorTexts.slice(-1);
  removeFromEnd(cell, texts.join(""));
  const error = diagnostics.length > 0 ? compileError(diagnostics) : thrownError(texts[0] ?? "");
  cell.outputs.push(error);
  return error;
}

function trailingDiagnostics(texts: readonly string[]): string[] {
  const start = texts.findLastIndex(text => !DIAGNOSTIC.test(text)) + 1;
  return texts.slice(start);
}

function removeFromEnd(cell: CellOutputs, text: string): void {
  const index = cell.outputs.findLastIndex(
    output => output.output_type === "stream" && output.name === "stderr",
  );
  const output = cell.outputs[index];
  if (output?.output_type !== "stream" || !output.text.endsWith(text)) return;
  output.text = output.text.slice(0, output.text.length - text.length);
  if (output.text === "") cell.outputs.splice(index, 1);
}

function compileError(diagnostics: string[]): ErrorOutput {
  const traceback = diagnostics.map(text => `line ${text.trimEnd()}`);
  const more = traceback.length > 1 ? ` (and ${traceback.length - 1} more)` : "";
  return { output_type: "error", ename: "TypeScriptError", evalue: `${traceback[0]}${more}`, traceback };
}

function thrownError(printed: string): ErrorOutput {
  const lines = stripVTControlCharacters(printed).replace(SOURCE_EXCERPT, "").trimEnd().split("\n");
  const firstFrame = lines.findIndex(line => FRAME.test(line));
  const heading = lines.slice(0, firstFrame < 0 ? undefined : firstFrame).join("\n");
  const [, ename = "Error", evalue = ""] = (firstFrame >= 0 && HEADING.exec(heading)) || [
    heading,
    "Error",
    heading,
  ];
  const traceback = lines
    .filter(line => !KERNEL_FRAME.test(line))
    .map(line => line.replace(CELL_POSITION, "cell"))
    .filter((line, index, all) => line.trim() !== "at cell" || line !== all[index - 1]);
  return { output_type: "error", ename, evalue, traceback };
}
