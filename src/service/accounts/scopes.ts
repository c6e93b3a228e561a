import { HttpError } from "../http-error.ts";
import type { Scope } from "../store/schema.ts";
import type { Caller } from "./caller.ts";

/** Scopes of keys; each includes the previous ones. */
export const SCOPES: readonly Scope[] = ["read", "submit", "admin"];

/** The scope that a request of this HTTP method needs. */
export const scopeOf = (method: string): Scope => (/^(?:get|head)$/i.test(method) ? "read" : "submit");

/** Throws an HttpError (403) for a key that was made for less. */
export function requireScope({ scope }: Pick<Caller, "scope">, needed: Scope): void {
  if (SCOPES.indexOf(scope) >= SCOPES.indexOf(needed)) return;
  throw new HttpError(
    "FORBIDDEN",
    `This takes a key with the scope ${needed}, and this key has the scope ${scope}. Ask for another key.`,
  );
}
