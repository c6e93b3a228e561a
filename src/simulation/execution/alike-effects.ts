import type { LaneEffect } from "./lane-effects.ts";

/** Effects whose operations begin alike: those that have no others, and those that do by what is next in theirs. */
interface Alike {
  readonly effects: LaneEffect[];
  readonly next: Map<unknown, Alike>;
}

/** Returns effects by their operations: those with the same ones together. */
export function alikeEffects(effects: readonly LaneEffect[]): readonly (readonly LaneEffect[])[] {
  if (effects.length === 1 || effects.every(({ operations }) => operations.length === 0)) return [effects];
  const newAlike = (): Alike => ({ effects: [], next: new Map() });
  const root = newAlike();
  const found: LaneEffect[][] = [];
  for (const effect of effects) {
    let alike = root;
    const take = (part: unknown) => {
      let next = alike.next.get(part);
      if (!next) {
        next = newAlike();
        alike.next.set(part, next);
      }
      alike = next;
    };
    for (const operation of effect.operations) {
      take(operation.gate);
      for (const part of operation.gate ? operation.qubits : [operation.qubit, operation.bit]) take(part);
      if (operation.gate) for (const param of operation.params) take(param);
    }
    if (alike.effects.push(effect) === 1) found.push(alike.effects);
  }
  return found;
}

/** Returns the lanes of effects, in a list that may be that of the only one. */
export const lanesOf = (effects: readonly LaneEffect[]): number[] =>
  effects.length === 1 ? effects[0]!.lanes : effects.flatMap(({ lanes }) => lanes);
