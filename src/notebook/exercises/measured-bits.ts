import type { Circuit, FinalBranch } from "../../simulation/index.ts";

/** The bits of a program that are counted, in order, or why they cannot be told. @internal */
export type CountedBits =
  | {
      /** Places of the bits among all bits of the circuit, the first one rightmost in an outcome. */
      readonly bits: readonly number[];
      /** Their places among the bits of the registers. */
      readonly places: readonly number[];
      readonly names: readonly string[];
    }
  | { readonly problem: string };

/**
 * Selects the bits of a program that hold an answer of some width: the registers that are named; else all bits, those that
 * measurements write, or the one register of that width. Their names do not matter, nor do bits that nothing writes.
 *
 * @internal
 */
export function selectBits(
  { registers }: Circuit,
  branches: readonly FinalBranch[],
  width: number,
  named: readonly string[] | undefined,
): CountedBits {
  let before = 0;
  const all = registers.classical.flatMap(register => {
    const first = before;
    before += register.width;
    return Array.from({ length: register.width }, (_, i) => ({
      register: register.name,
      name: register.width > 1 ? `${register.name}[${i}]` : register.name,
      bit: register.offset + i,
      place: first + i,
    }));
  });
  const isWritten = (bit: number) => branches.some(({ isMeasured }) => isMeasured[bit] !== null);
  const missing = named?.find(name => !registers.classical.some(register => register.name === name));
  if (missing) return { problem: `The program has no register ${missing}, which is to hold the answer.` };
  const ofWidth = registers.classical.filter(register => register.width === width);
  const written = all.filter(({ bit }) => isWritten(bit));
  const candidates = named
    ? [named.flatMap(name => all.filter(({ register }) => register === name))]
    : [
        all,
        written,
        ...(ofWidth.length === 1 ? [all.filter(({ register }) => register === ofWidth[0]!.name)] : []),
      ];
  const chosen = candidates.find(({ length }) => length === width);
  if (!chosen)
    return {
      problem: `The program measures into ${written.length} bits, and ${width} ${width === 1 ? "is" : "are"} asked for. Measure them into one register of that width, as in bit[${width}] c;`,
    };
  return {
    bits: chosen.map(({ bit }) => bit),
    places: chosen.map(({ place }) => place),
    names: chosen.map(({ name }) => name),
  };
}

/** Says which of the counted bits no measurement has written, in some branch; null where there is none. @internal */
export function unmeasuredBit(
  branches: readonly FinalBranch[],
  { bits, names }: Extract<CountedBits, { bits: unknown }>,
): string | null {
  for (const { isMeasured } of branches)
    for (const [i, bit] of bits.entries()) {
      if (isMeasured[bit] === null) return `Nothing is measured into ${names[i]}.`;
      if (!isMeasured[bit])
        return `${names[i]} is set by the program, and not by a measurement; its value has to come from a qubit.`;
    }
  return null;
}
