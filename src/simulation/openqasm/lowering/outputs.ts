import type { OutputVariable } from "../../circuit/circuit.ts";
import { typeName } from "../../circuit/values/types.ts";
import type { ScopeEntry } from "../expressions/scope.ts";

/** A variable of the program that can be one of its results. */
export interface Result {
  readonly name: string;
  readonly isOutput: boolean;
  readonly symbol: ScopeEntry & { kind: "register" | "variable" | "array" };
}

/** Returns the variables whose values are results: those that are declared as output, or all where none is. */
export function outputsOf(variables: readonly Result[]): OutputVariable[] {
  const declared = variables.filter(({ isOutput }) => isOutput);
  return (declared.length > 0 ? declared : variables).map(({ name, symbol }) => {
    if (symbol.kind === "register") {
      const bits = symbol.ref.known!;
      return { name, type: symbol.ref.isSingle ? "bit" : `bit[${bits.length}]`, bits, slots: null };
    }
    if (symbol.kind === "array") {
      const { element, sizes, known } = symbol.ref;
      const type = `array[${[typeName(element), ...sizes].join(", ")}]`;
      return { name, type, bits: null, slots: { slots: known!, sizes, type: element } };
    }
    const { type, slot } = symbol;
    return { name, type: typeName(type), bits: null, slots: { slots: [slot], sizes: [], type } };
  });
}
