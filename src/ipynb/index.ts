export { bundlesOf } from "./bundles.ts";
export { NotebookError } from "./errors.ts";
export type { Cell, CodeCell, ErrorOutput, Notebook, Output, RichOutput } from "./format.ts";
export type { Message } from "./message.ts";
export { exercisesChecked, nbgraderOf } from "./nbgrader.ts";
export { type CellOutputs, collectOutputs, type Outputs } from "./outputs.ts";
export { isJavaScript, type ParseOptions, parseNotebook } from "./parse.ts";
export { releaseNotebook } from "./release.ts";
export { notebookText } from "./text.ts";
