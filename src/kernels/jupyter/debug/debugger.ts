import { pathToFileURL } from "node:url";
import type { Language } from "../../cells/syntax.ts";
import { ownLibrary } from "../../own-library.ts";
import { fileContent } from "../local-files.ts";
import { openBreakpoints } from "./breakpoints.ts";
import { openCellFiles } from "./cell-files.ts";
import { COMMANDS, STATIC, THREAD } from "./commands.ts";
import { isHandledAt } from "./expressions.ts";
import { connectInspector } from "./inspector.ts";
import { openPauses } from "./pauses.ts";
import { openScripts } from "./scripts.ts";
import { openVariables } from "./variables.ts";

interface DebugParts {
  language: Language;
  /** Makes a name known to the types of the next cells. */
  declare(name: string): void;
  publish(event: object): void;
}

export type DebugSession = ReturnType<typeof openSession>;

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
function openSession({ language, declare }: DebugParts, publish: (event: string, body: object) => void) {
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
      variables.forget();
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
      variables.forget();
    },
  };
  return session;
}

export type Debugger = ReturnType<typeof openDebugger>;

export function openDebugger(parts: DebugParts) {
  let seq = 0;
  const session = openSession(parts, (event, body) => {
    seq += 1;
    parts.publish({ type: "event", seq, event, body });
  });

  async function bodyFor(command: string, given: Record<string, unknown>): Promise<object> {
    const answer = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
    if (!answer) throw new Error(`Unknown debugger command ${command}.`);
    if (!STATIC.has(command) && !session.isStarted)
      throw new Error(`The debugger is not started. Send initialize before ${command}.`);
    return answer(session, given);
  }

  return {
    /** Answers the content of a `debug_request`, which is a request of the Debug Adapter Protocol. */
    async answer(content: Record<string, unknown>): Promise<object> {
      const command = String(content.command ?? "");
      const outcome = await bodyFor(command, Object(content.arguments)).then(
        body => ({ success: true, body }),
        (error: unknown) => ({ success: false, message: (error as Error).message, body: {} }),
      );
      seq += 1;
      return { type: "response", seq, request_seq: Number(content.seq) || 0, command, ...outcome };
    },
    /** Hears that a cell is about to run. */
    cellBegins: session.pauses.endStep,
    /** Does some work while no breakpoint stops the program. A program that is stopped is terminated. */
    without: <T>(work: () => Promise<T>) => (session.isStarted ? session.pauses.without(work) : work()),
    close: session.inspector.close,
  };
}
