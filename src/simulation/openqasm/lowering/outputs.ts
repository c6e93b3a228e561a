import type { OutputValue, OutputVariable } from "../../circuit/circuit.ts";
import type { Complex, Value } from "../../circuit/memory.ts";
import type { ArrayRef, ScopeEntry } from "../expressions/scope.ts";
import { radiansOf } from "../values/angles.ts";
import { type Type, typeName } from "../values/types.ts";

/** A variable of the program that can be one of its results. */
export interface Result {
  readonly name: string;
  readonly isOutput: boolean;
  readonly symbol: ScopeEntry & { kind: "places" | "variable" | "array" };
}

/** Gives the variables whose values are results: those that are declared as output, or all where none is. */
export function outputsOf(variables: readonly Result[]): OutputVariable[] {
  const declared = variables.filter(({ isOutput }) => isOutput);
  return (declared.length > 0 ? declared : variables).map(({ name, symbol }) => {
    if (symbol.kind === "places") {
      const bits = symbol.ref.known!;
      return { name, type: symbol.ref.isSingle ? "bit" : `bit[${bits.length}]`, bits, read: null };
    }
    if (symbol.kind === "array") {
      const { element, sizes } = symbol.ref;
      const type = `array[${[typeName(element), ...sizes].join(", ")}]`;
      return { name, type, bits: null, read: slots => nested(symbol.ref, slots) };
    }
    const { type, slot } = symbol;
    return { name, type: typeName(type), bits: null, read: slots => jsonOf(slots[slot]!, type) };
  });
}

function nested({ element, sizes, known }: ArrayRef, slots: readonly Value[]): OutputValue {
  let values: OutputValue[] = known!.map(slot => jsonOf(slots[slot]!, element));
  for (const size of sizes.slice(1).reverse())
    values = Array.from({ length: values.length / size }, (_, i) => values.slice(i * size, (i + 1) * size));
  return values;
}

/** Gives a value as JSON has it: an angle in radians, a duration in nanoseconds, a complex number as [re, im]. */
function jsonOf(value: Value, type: Type): OutputValue {
  if (type.kind === "angle") return radiansOf(value as bigint, type);
  if (typeof value === "bigint")
    return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  if (typeof value !== "object") return value;
  const { re, im } = value as Complex;
  return [re, im];
}
