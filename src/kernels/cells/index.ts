export { excerpt } from "../errors/excerpt.ts";
export { type Failure, Interrupted, openRun, plainFailure, type Run } from "../errors/failure.ts";
export { openExecuteQueue } from "../jupyter/execute-queue.ts";
export { type Channel, infoOf, type Messages, openRequests, type Request } from "../jupyter/requests.ts";
export { INSTALL_COMMAND, LIBRARY, LIBRARY_FILES } from "../library-name.ts";
export { openCellRuns } from "../session/cell-runs.ts";
export { openRuntime } from "../session/cell-runtime.ts";
export { type Cells, openCells } from "../session/cells.ts";
export { openGlobalEvaluator } from "../session/evaluator.ts";
export { openStreams } from "../session/streams.ts";
export { CELL_OPTIONS, CELL_TYPES, DEFAULT_OPTIONS } from "../typing/compiler-options.ts";
export { type Completions, completionsAt, describeAt, describeCall } from "../typing/completion.ts";
export { openTypedCells, type Question, ROOT_DOCUMENTS, type TypedCells } from "../typing/typed-cells.ts";
export { compileCell } from "./compile.ts";
export { type Declared, RUNTIME } from "./declarations.ts";
export { type CellLanguage, registerLanguages } from "./languages.ts";
export { magicOf } from "./magics.ts";
export { bracketDepth } from "./nesting.ts";
export { lineStarts, placeAt, readMappings } from "./source-map.ts";
export {
  type Completeness,
  childrenOf,
  completenessOf,
  type Emission,
  isNode,
  type Language,
  type Namespaces,
  type Syntax,
  type SyntaxMistake,
  type SyntaxNode,
} from "./syntax.ts";
export type { CompletionItem, Diagnostic, Signature, TypeService } from "./types.ts";
