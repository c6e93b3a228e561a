export {
  bundlesOf,
  type Cell,
  type CodeCell,
  type ErrorOutput,
  type Message,
  type Notebook,
  NotebookError,
  type Output,
  type RichOutput,
} from "./format.ts";
export { exercisesChecked, nbgraderOf } from "./nbgrader.ts";
export { type CellOutputs, collectOutputs, type Outputs } from "./outputs.ts";
export { isJavaScript, type ParseOptions, parseNotebook } from "./parse.ts";
export { releaseNotebook } from "./release.ts";
export { notebookText } from "./text.ts";
