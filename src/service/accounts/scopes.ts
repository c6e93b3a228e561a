import type { Caller } from "../context.ts";
import { Refusal } from "../refusal.ts";

/** What a key may be used for; each scope includes those before it. */
export const SCOPES = ["read", "submit", "admin"] as const;

/** `read`: to look; `submit`: to make, cancel and delete jobs and groups; `admin`: to read figures of the service. */
export type Scope = (typeof SCOPES)[number];

/** The scope that a request of this HTTP method needs. */
export const scopeOf = (method: string): Scope => (/^(?:get|head)$/i.test(method) ? "read" : "submit");

/** Refuses with 403 a key that was made for less. */
export function requireScope({ scope }: Pick<Caller, "scope">, needed: Scope): void {
  if (SCOPES.indexOf(scope) >= SCOPES.indexOf(needed)) return;
  throw new Refusal(
    "FORBIDDEN",
    `This takes a key with the scope ${needed}, and this key has the scope ${scope}. Ask for another key.`,
  );
}
