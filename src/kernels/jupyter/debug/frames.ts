import type { Debugger, Runtime } from "node:inspector";
import { callCells, type Inspector } from "./inspector.ts";
import type { Scripts } from "./scripts.ts";
import type { Variable, Variables } from "./variables.ts";

/** A frame as the Debug Adapter Protocol describes it. Lines and columns are counted from 1. */
interface StackFrame {
  id: number;
  name: string;
  source: { name: string; path: string };
  line: number;
  column: number;
  presentationHint?: "label" | "normal" | "subtle";
}

export interface Frame extends StackFrame {
  /** The inspector's description; undefined for a frame that awaits the one below it. */
  call?: Debugger.CallFrame | undefined;
}

/** Variables that belong together. */
export interface Scope {
  name: string;
  presentationHint?: string;
  variablesReference: number;
  expensive: boolean;
}

const LOCAL = new Set(["local", "block", "catch", "with", "eval"]);
const TITLES: Readonly<Record<string, string>> = { closure: "Closure", module: "Module" };

/** The frames of cells and modules in a stack, from the innermost on, and after them those that wait for it. */
export async function framesOf(
  { callFrames, asyncStackTrace }: Debugger.PausedEventDataType,
  scripts: Scripts,
  nextId: () => number,
): Promise<Frame[]> {
  const calls = callFrames.map(call => ({ call, name: call.functionName, ...call.location }));
  const waiting: { name: string; scriptId: string; lineNumber: number; columnNumber?: number }[] = [];
  for (let trace = asyncStackTrace; trace; trace = trace.parent)
    for (const { functionName, ...place } of trace.callFrames) waiting.push({ name: functionName, ...place });
  const frames: Frame[] = [];
  for (const each of [...calls, ...waiting]) {
    const script = await scripts.get(each.scriptId);
    const [place] =
      (await script?.placesOf([{ line: each.lineNumber, column: each.columnNumber ?? 0 }])) ?? [];
    if (!script || !place) continue;
    const call = "call" in each ? (each.call as Debugger.CallFrame) : undefined;
    frames.push({
      id: nextId(),
      name: each.name || script.name,
      source: { name: script.name, path: script.path },
      line: place.line + 1,
      column: place.column + 1,
      presentationHint: call ? "normal" : "subtle",
      call,
    });
  }
  return frames;
}

/** Evaluates in a frame; without one, among the variables of the cells, and without waiting for anything. */
export function evaluateIn(inspector: Inspector, call: Debugger.CallFrame | undefined): Evaluate {
  return (expression, options) =>
    call
      ? inspector.ask("Debugger.evaluateOnCallFrame", {
          callFrameId: call.callFrameId,
          expression,
          ...options,
        })
      : inspector.ask("Runtime.evaluate", { expression, disableBreaks: true, ...options });
}

/** The variables that a frame sees: its own, those around it, and those that cells share. */
export async function scopesOf(
  { call }: Frame,
  inspector: Inspector,
  variables: Variables,
): Promise<Scope[]> {
  const evaluate = evaluateIn(inspector, call);
  const scopes: Scope[] = [];
  const seen = new Set<string>();
  let outside = false;
  const groups = new Map<string, string[]>();
  for (const { type, object } of call?.scopeChain ?? []) {
    const title =
      !outside && LOCAL.has(type) ? "Locals" : (TITLES[type] ?? (LOCAL.has(type) ? "Closure" : undefined));
    outside ||= type === "local";
    if (title === undefined) continue;
    const { result } = await inspector.ask<Runtime.GetPropertiesReturnType>("Runtime.getProperties", {
      objectId: object.objectId,
      ownProperties: true,
    });
    const names = result.map(({ name }) => name).filter(name => !seen.has(name));
    for (const name of names) seen.add(name);
    groups.set(title, [...(groups.get(title) ?? []), ...names]);
  }
  for (const [name, names] of groups) {
    if (names.length === 0) continue;
    const bindings = names.map(each => [each, each] as const);
    add(name, name === "Locals" ? "locals" : undefined, async () => [
      ...(await listVariables(bindings, evaluate, variables)),
      ...(name === "Locals" && call?.returnValue
        ? [variables.describe("Return value", call.returnValue, "stop")]
        : []),
    ]);
  }
  add("Globals", "globals", async () => {
    const bindings = [...(await cellBindings(inspector))].filter(([name]) => !seen.has(name));
    return listVariables(bindings, evaluateIn(inspector, undefined), variables);
  });
  return scopes;

  function add(name: string, presentationHint: string | undefined, list: () => Promise<Variable[]>): void {
    const variablesReference = variables.refer(list, "stop");
    scopes.push({
      name,
      ...(presentationHint && { presentationHint }),
      variablesReference,
      expensive: false,
    });
  }
}

async function listVariables(
  bindings: Iterable<readonly [string, string]>,
  evaluate: Evaluate,
  variables: Variables,
): Promise<Variable[]> {
  const objectId = await variablesObject(bindings, evaluate, "stop");
  return objectId === undefined ? [] : variables.properties(objectId, "stop");
}

/** Evaluates an expression in the scope of the variables. */
type Evaluate = (expression: string, options: object) => Promise<Runtime.EvaluateReturnType>;

/** The variables that cells share: the names under which they are bound, by their own. */
export async function cellBindings(inspector: Inspector): Promise<ReadonlyMap<string, string>> {
  const bindings = await callCells<[name: string, binding: string][]>(inspector, "bindings");
  return new Map(bindings.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** An object that has the variables that there are of some names as its properties; undefined where none can be read. */
export async function variablesObject(
  bindings: Iterable<readonly [name: string, binding: string]>,
  evaluate: Evaluate,
  objectGroup: string,
): Promise<string | undefined> {
  const read = Array.from(
    bindings,
    ([name, binding]) => `try { $found$[${JSON.stringify(name)}] = ${binding} } catch {}`,
  );
  const expression = `(() => { const $found$ = Object.create(null); ${read.join("\n")}; return $found$ })()`;
  const { result } = await evaluate(expression, { objectGroup, silent: true });
  return result.objectId;
}
