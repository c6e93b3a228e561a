import type { ElementaryGate } from "../circuit/gate.ts";
import type { LaneEffect, LaneOperation } from "./lane-effects.ts";

/** Effects whose operations begin alike: those that have no others, and those that do by what is next in theirs. */
interface Alike {
  readonly effects: LaneEffect[];
  readonly next: Map<unknown, Alike>;
}

/** What effects do that have one gate in common, with parameters of its own in each. */
interface GateOfEach {
  readonly gate: ElementaryGate;
  readonly qubits: readonly number[];
  readonly each: readonly { readonly params: readonly number[]; readonly lanes: readonly number[] }[];
}

/** Returns the gate that is all that an effect does; null where it is none or a sequence of others. */
function onlyGate({ operations }: LaneEffect): (LaneOperation & { readonly gate: ElementaryGate }) | null {
  const [first] = operations;
  const isOne = operations.length === 1 && first!.gate && first!.gate.kind !== "composite";
  return isOne ? (first as LaneOperation & { readonly gate: ElementaryGate }) : null;
}

/** Returns the gate that is all that effects which begin alike do; null where they do something else, or the same. */
export function gateOfEach(effects: readonly LaneEffect[]): GateOfEach | null {
  const first = onlyGate(effects[0]!);
  if (!first) return null;
  const each = effects.map(effect => ({ params: onlyGate(effect)!.params, lanes: effect.lanes }));
  const areEqual = each.every(({ params }) => params.every((param, i) => param === first.params[i]));
  return areEqual ? null : { gate: first.gate, qubits: first.qubits, each };
}

/** Returns effects by their operations: those with the same ones together, and those of one gate whatever its parameters are. */
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
    const isOneGate = onlyGate(effect) !== null;
    for (const operation of effect.operations) {
      take(operation.gate);
      for (const part of operation.gate ? operation.qubits : [operation.qubit, operation.bit]) take(part);
      if (operation.gate && !isOneGate) for (const param of operation.params) take(param);
    }
    if (alike.effects.push(effect) === 1) found.push(alike.effects);
  }
  return found;
}

/** Returns the lanes of effects, in a list that may be that of the only one. */
export const lanesOf = (effects: readonly LaneEffect[]): number[] =>
  effects.length === 1 ? effects[0]!.lanes : effects.flatMap(({ lanes }) => lanes);
