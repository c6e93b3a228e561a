import { RUNTIME } from "../../cells/declarations.ts";
import { fileContent } from "../local-files.ts";
import type { SourceBreakpoint } from "./breakpoints.ts";
import type { DebugSession } from "./debugger.ts";
import { toJavaScript } from "./expressions.ts";
import { cellBindings, type Frame, listVariables, scopesOf } from "./frames.ts";
import type { Resumption } from "./pauses.ts";

/** Answers a command of the Debug Adapter Protocol, or of Jupyter's additions to it, with the body of the response. */
type Command = (session: DebugSession, given: Record<string, unknown>) => Promise<object> | object;

/** Cells are one thread. */
export const THREAD = 1;

const EVALUATION_TIMEOUT_MS = 10_000;

const CAPABILITIES = {
  supportsConfigurationDoneRequest: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsEvaluateForHovers: true,
  supportsExceptionInfoRequest: true,
  supportsModulesRequest: true,
  supportsSetVariable: true,
  supportsDelayedStackTraceLoading: true,
  exceptionBreakpointFilters: [
    { filter: "uncaught", label: "Uncaught exceptions", default: false },
    { filter: "all", label: "All exceptions", default: false },
  ],
} as const;

/** The commands that are answered also before debugging has begun. */
export const STATIC: ReadonlySet<string> = new Set(
  "debugInfo initialize disconnect dumpCell inspectVariables richInspectVariables variables modules source threads".split(
    " ",
  ),
);

export const COMMANDS: Readonly<Record<string, Command>> = {
  debugInfo: ({ files, breakpoints, pauses, isStarted }) => ({
    isStarted,
    ...files.naming,
    breakpoints: breakpoints.list(),
    stoppedThreads: pauses.current() ? [THREAD] : [],
    richRendering: true,
    exceptionPaths: [],
    copyToGlobals: true,
  }),
  async initialize(session) {
    await session.start();
    return CAPABILITIES;
  },
  attach({ publish }) {
    publish("initialized", {});
    publish("thread", { reason: "started", threadId: THREAD });
    return {};
  },
  configurationDone: () => ({}),
  threads: () => ({ threads: [{ id: THREAD, name: "Cells" }] }),
  async disconnect(session) {
    await session.stop();
    return {};
  },

  dumpCell: ({ files }, { code }) => ({ sourcePath: files.add(String(code ?? "")) }),
  async setBreakpoints({ breakpoints }, { source, breakpoints: wanted, lines }) {
    const list = Array.isArray(wanted) ? wanted : Array.isArray(lines) ? lines.map(line => ({ line })) : [];
    return { breakpoints: await breakpoints.set(pathOf(source), list.map(readBreakpoint)) };
  },
  async setExceptionBreakpoints(session, { filters }) {
    const wanted = Array.isArray(filters) ? filters.map(String) : [];
    // The engine treats everything that a cell awaits as handled, so it can't report only unhandled exceptions.
    const state = wanted.some(filter => filter === "all" || filter === "uncaught") ? "all" : "none";
    await session.inspector.ask("Debugger.setPauseOnExceptions", { state });
    session.pauses.stopAtHandled(wanted.includes("all"));
    return {};
  },
  source({ files }, { source }) {
    const path = pathOf(source);
    const content = files.sourceOf(path) ?? fileContent(path);
    if (content === undefined) throw new Error(`The source ${path} is not available.`);
    return { content, mimeType: "text/x-typescript" };
  },
  async modules(session, { startModule, moduleCount }) {
    const isStarted = session.isStarted;
    if (!isStarted) await session.inspector.ask("Debugger.enable");
    const modules = (await session.scripts.modules()).map((module, id) => ({ id, ...module }));
    if (!isStarted) await session.inspector.ask("Debugger.disable");
    return { modules: pageOf(modules, startModule, moduleCount), totalModules: modules.length };
  },

  stackTrace({ pauses }, { startFrame, levels }) {
    const frames = (pauses.current()?.frames ?? []).map(({ call, ...frame }) => frame);
    return { stackFrames: pageOf(frames, startFrame, levels), totalFrames: frames.length };
  },
  async scopes(session, { frameId }) {
    return { scopes: await scopesOf(frameIn(session, frameId), session.inspector, session.variables) };
  },
  async variables({ variables }, { variablesReference, ...page }) {
    return { variables: await variables.list(Number(variablesReference), page) };
  },
  async evaluate(session, { expression, frameId }) {
    const value = await evaluated(session, String(expression ?? ""), frameId);
    const { name, value: result, ...rest } = session.variables.describe("", value);
    return { result, ...rest };
  },
  async setVariable(session, { variablesReference, name, value }) {
    const listed = await session.variables.list(Number(variablesReference), {});
    const target = listed.find(each => each.name === name)?.evaluateName;
    if (target === undefined) throw new Error(`${name} can't be set here.`);
    const [frame] = session.pauses.current()?.frames ?? [];
    const set = session.variables.describe("", await evaluated(session, `${target} = (${value})`, frame?.id));
    return { value: set.value, type: set.type, variablesReference: set.variablesReference };
  },
  exceptionInfo({ pauses }) {
    const exception = pauses.current()?.exception;
    if (!exception) throw new Error("Nothing was thrown here.");
    const { className, type, description, value, uncaught } = exception;
    return {
      exceptionId: className ?? type,
      description: String(description ?? value),
      breakMode: uncaught ? "unhandled" : "always",
    };
  },

  continue: session => resume(session, "resume"),
  next: session => resume(session, "stepOver"),
  stepIn: session => resume(session, "stepInto"),
  stepOut: session => resume(session, "stepOut"),
  async pause({ pauses }) {
    await pauses.pause();
    return {};
  },

  async inspectVariables({ inspector, variables, pauses }) {
    if (!pauses.current()) variables.forget();
    return { variables: await listVariables(await cellBindings(inspector), inspector, variables) };
  },
  async richInspectVariables(session, { variableName, frameId }) {
    const { inspector, language, pauses } = session;
    const expression = toJavaScript(String(variableName ?? ""), language, await cellBindings(inspector));
    const call = pauses.current() ? frameIn(session, frameId).call : undefined;
    const options = { call, returnByValue: true };
    return (await inspector.evaluate(`${RUNTIME}.debug.bundle(${expression})`, options)).value;
  },
  async copyToGlobals(session, { srcVariableName, dstVariableName, srcFrameId }) {
    const { inspector, language, declare } = session;
    const to = String(dstVariableName);
    if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(to))
      throw new Error(`${to} is not the name of a variable.`);
    const source = toJavaScript(String(srcVariableName), language);
    const { call } = frameIn(session, srcFrameId);
    const binding = (await cellBindings(inspector)).get(to) ?? to;
    await inspector.evaluate(`${RUNTIME}.debug.define(${JSON.stringify(binding)}, (${source}))`, { call });
    declare(to);
    return {};
  },
};

/** Some of a list; all from the start on where no count is given. */
function pageOf<T>(list: readonly T[], from: unknown, count: unknown): readonly T[] {
  const start = Number(from) || 0;
  return list.slice(start, Number(count) > 0 ? start + Number(count) : undefined);
}

async function resume({ pauses }: DebugSession, how: Resumption): Promise<object> {
  await pauses.resume(how);
  return { allThreadsContinued: true };
}

/** Evaluates what a person has typed: in a frame of the stopped program, or as a cell would. */
async function evaluated(session: DebugSession, text: string, frameId: unknown) {
  const { inspector, language, pauses } = session;
  const expression = toJavaScript(text, language, await cellBindings(inspector));
  const stop = pauses.current();
  return inspector.evaluate(expression, {
    call: stop && frameId !== undefined ? frameIn(session, frameId).call : undefined,
    generatePreview: true,
    timeout: EVALUATION_TIMEOUT_MS,
    ...(!stop && { replMode: true }),
  });
}

function frameIn({ pauses }: DebugSession, id: unknown): Frame {
  const frames = pauses.current()?.frames ?? [];
  const frame = id === undefined ? frames[0] : frames.find(each => each.id === Number(id));
  if (!frame) throw new Error("Unknown frame: the program is running.");
  return frame;
}

function pathOf(source: unknown): string {
  return String((source as { path?: unknown } | null | undefined)?.path ?? "");
}

function readBreakpoint(given: unknown): SourceBreakpoint {
  const { line, condition, hitCondition, logMessage } = (given ?? {}) as Record<string, unknown>;
  return {
    line: Number(line) || 1,
    ...(condition ? { condition: String(condition) } : {}),
    ...(hitCondition ? { hitCondition: String(hitCondition) } : {}),
    ...(logMessage ? { logMessage: String(logMessage) } : {}),
  };
}
