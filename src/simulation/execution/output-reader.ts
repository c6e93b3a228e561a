import type { ClassicalRegister, OutputVariable } from "../circuit/circuit.ts";
import type { Value } from "../circuit/memory.ts";
import { type OutputValue, outputValue } from "../circuit/output-values.ts";

/** Makes a function from the key of an outcome to the values of the output variables; their bits are all in the key. */
export function outputReader(
  registers: readonly ClassicalRegister[],
  variables: readonly OutputVariable[],
  slots: readonly Value[],
): (key: string) => Record<string, OutputValue> {
  const offsets = registerOffsets(registers);
  const readers = variables.map(variable => {
    const fixed = outputValue(variable, slots);
    return fixed === undefined ? bitsReader(variable.bits!.map(bit => offsets.get(bit)!)) : () => fixed;
  });
  const known = new Map<string, Record<string, OutputValue>>();
  return key => {
    let values = known.get(key);
    if (!values) {
      values = Object.fromEntries(variables.map(({ name }, i) => [name, readers[i]!(key)]));
      known.set(key, values);
    }
    return values;
  };
}

/** Makes a function that returns the characters of a key at these places from its end, the last place first. */
function bitsReader(places: readonly number[]): (key: string) => string {
  const [first = 0] = places;
  if (places.every((place, i) => place === first + i))
    return key => key.slice(key.length - first - places.length, key.length - first);
  return key =>
    places
      .map(place => key[key.length - 1 - place])
      .reverse()
      .join("");
}

/** Returns the place of each bit of the registers in the key of an outcome, counted from its end. */
function registerOffsets(registers: readonly ClassicalRegister[]): Map<number, number> {
  const offsets = new Map<number, number>();
  let at = 0;
  for (const { offset, width } of registers) {
    for (let i = 0; i < width; i++) offsets.set(offset + i, at++);
    at++;
  }
  return offsets;
}
