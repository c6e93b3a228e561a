import { isDisplayable } from "../display/index.ts";
import { frontEnd } from "./detect.ts";
import { show } from "./show.ts";
import { tslabGlobal } from "./tslab.ts";

const INSTALLED = Symbol.for("ketbook.lastExpression");
const LAST_EXPRESSION = /^tsLastExpr\d*$/;

/**
 * Makes a tslab cell show its last expression richly, from the importing cell on. tslab stores that value under a
 * name of its own in the object that holds the cells' variables, and prints what it finds there; a prototype with
 * a trap sees the value first, shows it and leaves nothing to print. The same trap sees every new variable and makes
 * it a global, because tslab reads the shorthand `{ name }` of an earlier cell's variable as one. Calling it again,
 * or from another copy of the library, changes nothing. Returns whether it is in place.
 */
export function installRichDisplay(): boolean {
  const variables = tslabGlobal()?.exports;
  if (!variables || frontEnd().kind !== "tslab") return false;
  if (INSTALLED in variables) return true;
  if (Object.getPrototypeOf(variables) !== Object.prototype) return false;
  for (const name of Object.keys(variables)) {
    if (LAST_EXPRESSION.test(name)) delete variables[name];
    else mirror(variables, name);
  }
  return Reflect.setPrototypeOf(variables, variablesTrap(variables));
}

/** Makes a cell's variable readable as a global, unless there is one of that name. */
function mirror(variables: Record<string, unknown>, name: string): void {
  if (name in globalThis) return;
  Object.defineProperty(globalThis, name, { configurable: true, get: () => variables[name] });
}

function variablesTrap(variables: Record<string, unknown>): object {
  return new Proxy(Object.prototype, {
    has: (target, name) => name === INSTALLED || Reflect.has(target, name),
    set(target, name, value, receiver) {
      if (typeof name !== "string" || !LAST_EXPRESSION.test(name)) {
        if (typeof name === "string") mirror(variables, name);
        return Reflect.set(target, name, value, receiver);
      }
      if (value === undefined || value === null) return true;
      if (!isDisplayable(value)) return Reflect.set(target, name, value, receiver);
      show(value);
      return true;
    },
  });
}
