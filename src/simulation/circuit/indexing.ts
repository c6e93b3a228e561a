import type { OperandIndices } from "./expression.ts";

type Indices<K extends string> = Extract<OperandIndices, { readonly kind: K }>;

export const MAX_SLICE = 1_000_000;

/** Returns the members of a register that indices name. Throws a RangeError where there is none. */
export function membersAt(
  members: readonly number[],
  indices: readonly number[],
  { name, of }: Pick<Indices<"members">, "name" | "of">,
): number[] {
  return indices.map(index => {
    const member = members[index < 0 ? members.length + index : index];
    if (member === undefined) throw new RangeError(outOfRange(index, members.length, name, of));
    return member;
  });
}

/** Returns the members of parts after each other. Throws a RangeError where one is there twice, or a part has not the width that a call wants. */
export function joinedParts(
  parts: readonly (readonly number[])[],
  { call }: Pick<Indices<"joined">, "call">,
): number[] {
  call?.widths.forEach((width, i) => {
    const { length } = parts[i]!;
    if (length !== width) throw new RangeError(`${call.name} needs ${width} qubits here, not ${length}.`);
  });
  const members = parts.flat();
  if (new Set(members).size < members.length)
    throw new RangeError(
      call ? `${call.name} is called with the same qubit twice.` : "A register is joined with itself.",
    );
  return members;
}

export const outOfRange = (index: number, size: number, name: string, of: "qubit" | "bit"): string =>
  `The index ${index} is outside ${name}, which has ${size} ${of}s${size > 0 ? ` (0 to ${size - 1})` : ""}.`;

/** Returns indices counted from 0 on. Throws a RangeError where one is outside of the size. */
export function indicesWithin(
  indices: readonly number[],
  size: number,
  of: Indices<"within">["of"],
): number[] {
  return indices.map(index => {
    const place = index < 0 ? size + index : index;
    if (place >= 0 && place < size) return place;
    if (of === "number") throw new RangeError(`Bit ${index} is outside a value of ${size} bits.`);
    throw new RangeError(
      size > 0
        ? `The index ${index} is outside the array, which has ${size} elements here (0 to ${size - 1}).`
        : "This array has no elements.",
    );
  });
}

/** Returns the numbers of a range, its ends included. Throws a RangeError where it has no ends, or too many members. */
export function rangeWithin(
  start: number | undefined,
  step = 1,
  stop: number | undefined,
  size: number | null,
): number[] {
  const last = size === null ? null : size - 1;
  const from = start ?? (step > 0 ? 0 : last);
  const to = stop ?? (step > 0 ? last : 0);
  if (step === 0) throw new RangeError("A range takes steps of zero.");
  if (from === null || to === null) throw new RangeError("Both ends of this range have to be given.");
  const fromEnd = (end: number) => (end < 0 && size !== null ? end + size : end);
  const first = fromEnd(from);
  const count = Math.max(0, Math.floor((fromEnd(to) - first) / step) + 1);
  if (count > MAX_SLICE)
    throw new RangeError(`This slice has ${count.toLocaleString("en-US")} members, too many.`);
  const members = new Array<number>(count);
  for (let i = 0; i < count; i++) members[i] = first + i * step;
  return members;
}

/** Returns the elements of an array at indices of each dimension, those of the last next to each other. */
export function elementsAt(
  elements: readonly number[],
  sizes: readonly number[],
  indices: readonly (readonly number[])[],
): number[] {
  return indices
    .reduce<number[]>(
      (offsets, list, dimension) =>
        offsets.flatMap(offset => list.map(index => offset * sizes[dimension]! + index)),
      [0],
    )
    .map(offset => elements[offset]!);
}

/** Returns the entry of a table for a number. Throws a RangeError for a missing required entry. */
export function mapped(index: number, { table, of }: Pick<Indices<"mapped">, "table" | "of">): number[] {
  const found = table.get(index);
  if (found !== undefined) return [found];
  switch (of) {
    case "nothing":
      return [];
    case "qubit":
      throw new RangeError(`There is no qubit ${index}; the program declares ${table.size}.`);
    case "result":
      throw new RangeError(`There is no result ${index} that the program declares.`);
    case "element":
      throw new RangeError("This is outside of the array.");
  }
}
