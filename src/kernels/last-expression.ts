import { isDisplayable } from "../display/bundle.ts";
import { frontEnd } from "./detect.ts";
import { show } from "./show.ts";
import { tslabGlobal } from "./tslab.ts";

const INSTALLED = Symbol.for("ketbook.lastExpression");
const LAST_EXPRESSION = /^tsLastExpr\d*$/;

/**
 * Makes a tslab cell show its last expression richly, from the importing cell on. tslab stores that value under a
 * name of its own in the object that holds the cells' variables, and prints what it finds there; a prototype with
 * a trap sees the value first, shows it and leaves nothing to print. Calling it again, or from another copy of
 * the library, changes nothing. Returns whether it is in place.
 */
export function installRichDisplay(): boolean {
  const variables = tslabGlobal()?.exports;
  if (!variables || frontEnd().kind !== "tslab") return false;
  if (INSTALLED in variables) return true;
  if (Object.getPrototypeOf(variables) !== Object.prototype) return false;
  for (const name of Object.keys(variables)) {
    if (LAST_EXPRESSION.test(name)) delete variables[name];
  }
  return Reflect.setPrototypeOf(variables, lastExpressionTrap());
}

function lastExpressionTrap(): object {
  return new Proxy(Object.prototype, {
    has: (target, name) => name === INSTALLED || Reflect.has(target, name),
    set(target, name, value, receiver) {
      if (typeof name !== "string" || !LAST_EXPRESSION.test(name)) {
        return Reflect.set(target, name, value, receiver);
      }
      if (value === undefined || value === null) return true;
      if (!isDisplayable(value)) return Reflect.set(target, name, value, receiver);
      show(value);
      return true;
    },
  });
}
