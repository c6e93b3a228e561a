import { pathToFileURL } from "node:url";
import type { Language } from "../../cells/syntax.ts";
import { ownLibrary } from "../../own-library.ts";
import { openBreakpoints } from "./breakpoints.ts";
import { fileContent, openCellFiles } from "./cell-files.ts";
import { isHandledAt } from "./expressions.ts";
import { connectInspector } from "./inspector.ts";
import { openPauses } from "./pauses.ts";
import { openScripts } from "./scripts.ts";
import { openVariables } from "./variables.ts";

export interface DebugParts {
  language: Language;
  /** Makes a name known to the types of the next cells. */
  declare(name: string): void;
  publish(event: string, body: object): void;
}

/** A connection to the thread of the cells, and what is known of it. */
export type DebugSession = ReturnType<typeof openDebugSession>;

/** Cells are one thread. */
export const THREAD = 1;

const MAX_ASYNC_DEPTH = 16;
const HERE = new URL(import.meta.url.endsWith(".ts") ? "../../../" : "./", import.meta.url).href;
const LIBRARY = ownLibrary();
const FOREIGN = [
  "^node:",
  "/node_modules/",
  ...[HERE, LIBRARY && `${pathToFileURL(LIBRARY).href}/`]
    .filter(url => url !== undefined)
    .map(url => `^${url.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`),
];
const isForeign = (url: string) => FOREIGN.some(pattern => new RegExp(pattern).test(url));

/** Connects to the thread of the cells. Nothing is debugged before the start. */
export function openDebugSession({ language, declare, publish }: DebugParts) {
  const inspector = connectInspector("cells");
  const files = openCellFiles(language);
  const scripts = openScripts(inspector, files, isForeign);
  const variables = openVariables(inspector);
  const breakpoints = openBreakpoints(inspector, scripts, files, language);
  const pauses = openPauses({
    inspector,
    scripts,
    breakpoints,
    isHandled: ({ source: { path }, line, column }) => {
      const source = files.sourceOf(path) ?? fileContent(path);
      return source !== undefined && isHandledAt(source, language, { line: line - 1, column: column - 1 });
    },
    stopped({ reason, breakpoints: hitBreakpointIds, exception }) {
      const text = exception && String(exception.description ?? exception.value).split("\n")[0];
      publish("stopped", {
        reason,
        threadId: THREAD,
        allThreadsStopped: true,
        hitBreakpointIds,
        ...(text && { text }),
      });
    },
    continued() {
      variables.forget("stop");
      publish("continued", { threadId: THREAD, allThreadsContinued: true });
    },
  });
  const session = {
    language,
    inspector,
    files,
    scripts,
    breakpoints,
    variables,
    pauses,
    isStarted: false,
    declare,
    publish,
    async start() {
      if (session.isStarted) return;
      session.isStarted = true;
      await inspector.ask("Debugger.enable");
      await inspector.ask("Debugger.setBlackboxPatterns", { patterns: FOREIGN, skipAnonymous: true });
      await inspector.ask("Debugger.setAsyncCallStackDepth", { maxDepth: MAX_ASYNC_DEPTH });
      const instrumentation = "beforeScriptWithSourceMapExecution";
      await inspector.ask("Debugger.setInstrumentationBreakpoint", { instrumentation });
    },
    /** Ends debugging: a program that is stopped runs on. */
    async stop() {
      if (!session.isStarted) return;
      session.isStarted = false;
      breakpoints.clear();
      await inspector.ask("Debugger.disable");
      pauses.reset();
      scripts.clear();
      variables.forget("stop");
    },
  };
  return session;
}
