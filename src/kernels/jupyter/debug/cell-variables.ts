import type { Runtime } from "node:inspector";
import { EMITTED_HELPER } from "../downlevel.ts";
import type { Inspector } from "./inspector.ts";

/** The variables that cells share. */
export interface CellVariables {
  /** The names under which they are bound, by their own. */
  bindings(): Promise<ReadonlyMap<string, string>>;
}

/** Evaluates an expression in the scope of the variables. */
export type Evaluate = (expression: string, options: object) => Promise<Runtime.EvaluateReturnType>;

const SUFFIX = /\$cell$/;
/** Globals of every thread. */
const GIVEN = Object.keys(globalThis);

/**
 * Opens the variables of the cells. Besides those that cells have declared, there may be some that they have assigned;
 * names that begin with two underscores are those of libraries.
 */
export function openCellVariables(
  inspector: Inspector,
  declared: () => Iterable<string>,
  hidden: () => ReadonlySet<string>,
): CellVariables {
  return {
    async bindings() {
      const { names } = await inspector.ask<Runtime.GlobalLexicalScopeNamesReturnType>(
        "Runtime.globalLexicalScopeNames",
      );
      const assigned = await inspector.ask<Runtime.EvaluateReturnType>("Runtime.evaluate", {
        expression: `Object.keys(globalThis).filter(name => !/^__/.test(name) && !${JSON.stringify(GIVEN)}.includes(name))`,
        returnByValue: true,
        silent: true,
      });
      const bindings = new Map<string, string>();
      for (const name of [...(assigned.result.value as string[]), ...declared(), ...names])
        if (!EMITTED_HELPER.test(name)) bindings.set(name.replace(SUFFIX, ""), name);
      for (const name of hidden()) bindings.delete(name);
      return new Map([...bindings].toSorted(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
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
