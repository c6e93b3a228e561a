import type { Debugger } from "node:inspector";
import { RUNTIME } from "../../cells/declarations.ts";
import type { Language } from "../../cells/syntax.ts";
import type { CellFiles } from "./cell-files.ts";
import { toJavaScript } from "./expressions.ts";
import { cellBindings } from "./frames.ts";
import type { Inspector } from "./inspector.ts";
import {
  firstFrom,
  placesBefore,
  type Scripts,
  type SourceScript,
  type StopPlace,
  stopPlaces,
} from "./scripts.ts";

/** A breakpoint as a front end asks for it. Lines are counted from 1. */
export interface SourceBreakpoint {
  line: number;
  condition?: string;
  hitCondition?: string;
  logMessage?: string;
}

export type Breakpoints = ReturnType<typeof openBreakpoints>;

interface Placed {
  /** As the front end hears of it. */
  said: { id: number; verified: boolean; line: number; source: { path: string }; message?: string };
  wanted: SourceBreakpoint;
  /** Condition evaluated before stopping; undefined if unreadable. */
  condition?: string;
  inspectorIds: string[];
}

const HIT_CONDITION = /^\s*(==|=|>=|>|<=|<|%)?\s*(\d+)\s*$/;

export function openBreakpoints(
  inspector: Inspector,
  scripts: Scripts,
  files: CellFiles,
  language: Language,
) {
  const breakpoints = new Map<string, Placed[]>();
  let last = 0;

  async function placesIn(path: string): Promise<StopPlace[]> {
    const [script] = await scripts.from(path);
    if (script) return stopPlaces(inspector, script.id, script.placesOf);
    const source = files.sourceOf(path);
    return source === undefined ? [] : placesBefore(source, language);
  }

  async function place(script: SourceScript, list: readonly Placed[]): Promise<void> {
    if (list.length === 0) return;
    const places = await stopPlaces(inspector, script.id, script.placesOf);
    for (const { said, condition, inspectorIds } of list) {
      const at = firstFrom(places, said.line);
      if (!at || condition === undefined) continue;
      said.verified = true;
      said.line = at.place.line + 1;
      delete said.message;
      const found = await inspector
        .ask<Debugger.SetBreakpointReturnType>("Debugger.setBreakpoint", { location: at.location, condition })
        .catch(() => undefined);
      if (found) inspectorIds.push(found.breakpointId);
    }
  }

  async function remove(list: readonly Placed[]): Promise<void> {
    for (const breakpointId of list.flatMap(each => each.inspectorIds))
      await inspector.ask("Debugger.removeBreakpoint", { breakpointId }).catch(() => undefined);
  }

  /** Condition evaluated before stopping; writes a message instead. */
  function conditionOf(
    id: number,
    { condition, hitCondition, logMessage }: SourceBreakpoint,
    bindings: ReadonlyMap<string, string>,
  ): string {
    const conditions = condition ? [`(${toJavaScript(condition, language, bindings)})`] : [];
    if (hitCondition) {
      const [, operator = ">=", number] = HIT_CONDITION.exec(hitCondition) ?? [];
      if (number === undefined)
        throw new Error(`A hit condition is a number, such as 3, >= 3 or % 3, not ${hitCondition}.`);
      const hits = `${RUNTIME}.debug.hit(${id})`;
      conditions.push(
        operator === "%"
          ? `${hits} % ${number} === 0`
          : `${hits} ${operator === "=" ? "==" : operator} ${number}`,
      );
    }
    if (logMessage) {
      const parts = logMessage
        .split(/\{([^{}]*)\}/)
        .map((part, index) =>
          index % 2 === 0 ? JSON.stringify(part) : `(${toJavaScript(part, language, bindings)})`,
        );
      conditions.push(
        `void console.log([${parts.join(", ")}].map(part => typeof part === "string" ? part : require("node:util").inspect(part)).join(""))`,
      );
    }
    return conditions.join(" && ");
  }

  return {
    /** Puts breakpoints in the place of those that a file had. */
    async set(path: string, wanted: readonly SourceBreakpoint[]): Promise<object[]> {
      await remove(breakpoints.get(path) ?? []);
      const places = wanted.length > 0 ? await placesIn(path) : [];
      const bindings = await cellBindings(inspector);
      const list = wanted.map((each): Placed => {
        last += 1;
        const at = firstFrom(places, each.line);
        const said = { id: last, verified: false, line: each.line, source: { path } };
        const common = { wanted: each, inspectorIds: [] };
        try {
          const condition = conditionOf(last, each, bindings);
          if (at) return { ...common, condition, said: { ...said, verified: true, line: at.place.line + 1 } };
          const message =
            places.length > 0
              ? "There is nothing to stop at from this line on."
              : "This file has not been loaded yet.";
          return { ...common, condition, said: { ...said, message } };
        } catch (error) {
          return { ...common, said: { ...said, message: String(error) } };
        }
      });
      if (list.length > 0) breakpoints.set(path, list);
      else breakpoints.delete(path);
      for (const script of await scripts.from(path)) await place(script, list);
      return list.map(({ said }) => said);
    },
    /** Sets the breakpoints of a script that is about to run. */
    place: (script: SourceScript) => place(script, breakpoints.get(script.path) ?? []),
    /** The breakpoints that the inspector speaks of. */
    named: (inspectorIds: readonly string[]) =>
      [...breakpoints.values()]
        .flat()
        .filter(each => each.inspectorIds.some(id => inspectorIds.includes(id)))
        .map(({ said }) => said.id),
    list: () =>
      Array.from(breakpoints, ([source, list]) => ({
        source,
        breakpoints: list.map(({ wanted, said }) => ({ ...wanted, line: said.line })),
      })),
    clear: () => breakpoints.clear(),
  };
}
