import type { OutputVariable } from "./circuit-parts.ts";
import type { Complex, Value } from "./memory.ts";
import { radiansOf } from "./values/conversions.ts";
import { type Type, wrap } from "./values/types.ts";

/** A value of a variable: a bit string, a number (as text where a double cannot hold it), a truth value, [re, im], or a list of them. */
export type OutputValue = string | number | boolean | readonly OutputValue[];

/** Returns the value of an output as JSON has it, or undefined where its bits are the value. */
export function outputValue(
  { slots: values }: OutputVariable,
  slots: readonly Value[],
): OutputValue | undefined {
  if (!values) return undefined;
  let list: OutputValue[] = values.slots.map(slot => jsonOf(slots[slot]!, values.type));
  for (const size of values.sizes.slice(1).reverse())
    list = Array.from({ length: list.length / size }, (_, i) => list.slice(i * size, (i + 1) * size));
  return values.sizes.length > 0 ? list : list[0]!;
}

/** Returns a value as JSON has it: an angle in radians, a duration in nanoseconds, a complex number as [re, im]. */
function jsonOf(value: Value, type: Type): OutputValue {
  switch (type.kind) {
    case "angle":
      return radiansOf(value as bigint, type);
    case "bool":
      return Boolean(value);
    case "complex": {
      const { re, im } = value as Complex;
      return [re, im];
    }
    case "float":
    case "duration":
      return Number(value);
    default: {
      const whole = wrap(value as bigint, type);
      return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole.toString();
    }
  }
}
