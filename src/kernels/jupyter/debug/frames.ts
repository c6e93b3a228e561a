import type { Debugger, Runtime } from "node:inspector";
import { callCells, type Inspector } from "./inspector.ts";
import type { Scripts } from "./scripts.ts";
import type { Variable, Variables } from "./variables.ts";

/** A frame as the Debug Adapter Protocol describes it. Lines and columns are counted from 1. */
export interface Frame {
  id: number;
  name: string;
  source: { name: string; path: string };
  line: number;
  column: number;
  presentationHint: "normal" | "subtle";
  /** The inspector's description; undefined for a frame that awaits the one below it. */
  call: Debugger.CallFrame | undefined;
}

const LOCAL = new Set(["local", "block", "catch", "with", "eval"]);
const TITLES: Readonly<Record<string, string>> = { closure: "Closure", module: "Module" };

/** The frames of cells and modules in a stack, from the innermost on, and after them those that wait for it. */
export async function framesOf(
  { callFrames, asyncStackTrace }: Debugger.PausedEventDataType,
  scripts: Scripts,
  nextId: () => number,
): Promise<Frame[]> {
  const all: (Omit<Runtime.CallFrame, "url"> & { call?: Debugger.CallFrame })[] = callFrames.map(call => ({
    call,
    columnNumber: 0,
    ...call,
    ...call.location,
  }));
  for (let trace = asyncStackTrace; trace; trace = trace.parent) all.push(...trace.callFrames);
  const frames: Frame[] = [];
  for (const { call, functionName, scriptId, lineNumber, columnNumber } of all) {
    const script = await scripts.get(scriptId);
    const [place] = (await script?.placesOf([{ line: lineNumber, column: columnNumber }])) ?? [];
    if (!script || !place) continue;
    frames.push({
      id: nextId(),
      name: functionName || script.name,
      source: { name: script.name, path: script.path },
      line: place.line + 1,
      column: place.column + 1,
      presentationHint: call ? "normal" : "subtle",
      call,
    });
  }
  return frames;
}

/** The variables that a frame sees, in scopes of the protocol: its own, those around it, and those that cells share. */
export async function scopesOf(
  { call }: Frame,
  inspector: Inspector,
  variables: Variables,
): Promise<object[]> {
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
    if (names.length > 0) groups.set(title, [...(groups.get(title) ?? []), ...names]);
  }
  const scopeOf = (name: string, list: () => Promise<Variable[]>) => ({
    name,
    ...(name !== "Closure" && name !== "Module" && { presentationHint: name.toLowerCase() }),
    variablesReference: variables.refer(list),
    expensive: false,
  });
  return [
    ...Array.from(groups, ([title, names]) =>
      scopeOf(title, async () => {
        const found = await listVariables(
          names.map(name => [name, name]),
          inspector,
          variables,
          call,
        );
        const returned = title === "Locals" ? call?.returnValue : undefined;
        return returned ? [...found, variables.describe("Return value", returned)] : found;
      }),
    ),
    scopeOf("Globals", async () => {
      const bindings = [...(await cellBindings(inspector))].filter(([name]) => !seen.has(name));
      return listVariables(bindings, inspector, variables);
    }),
  ];
}

/** The variables that cells share: the names under which they are bound, by their own. */
export async function cellBindings(inspector: Inspector): Promise<ReadonlyMap<string, string>> {
  const bindings = await callCells<[name: string, binding: string][]>(inspector, "bindings");
  return new Map(bindings.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The variables that there are of some names, as a frame sees them; without one, as cells do. */
export async function listVariables(
  bindings: Iterable<readonly [name: string, binding: string]>,
  inspector: Inspector,
  variables: Variables,
  call?: Debugger.CallFrame,
): Promise<Variable[]> {
  const read = Array.from(
    bindings,
    ([name, binding]) => `try { $found$[${JSON.stringify(name)}] = ${binding} } catch {}`,
  );
  const expression = `(() => { const $found$ = Object.create(null); ${read.join("\n")}; return $found$ })()`;
  const { objectId } = await inspector.evaluate(expression, { call });
  return objectId === undefined ? [] : variables.properties(objectId);
}
