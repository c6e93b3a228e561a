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

/** Returns the range of characters of the key of an outcome that is the value of each output variable; undefined where one is none. */
export function outputRanges(
  registers: readonly ClassicalRegister[],
  variables: readonly OutputVariable[],
): Record<string, [number, number]> | undefined {
  const offsets = registerOffsets(registers);
  const length = registers.reduce((sum, { width }) => sum + width + 1, -1);
  const ranges: [string, [number, number]][] = [];
  for (const { name, slots, bits } of variables) {
    const places = bits?.map(bit => offsets.get(bit)!);
    if (slots || !places || !areConsecutive(places)) return undefined;
    const [first = 0] = places;
    ranges.push([name, [length - first - places.length, length - first]]);
  }
  return Object.fromEntries(ranges);
}

/** Makes a function that returns the characters of a key at these places from its end, the last place first. */
function bitsReader(places: readonly number[]): (key: string) => string {
  const [first = 0] = places;
  if (areConsecutive(places)) return key => key.slice(key.length - first - places.length, key.length - first);
  return key =>
    places
      .map(place => key[key.length - 1 - place])
      .reverse()
      .join("");
}

const areConsecutive = (places: readonly number[]) => places.every((place, i) => place === places[0]! + i);

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
