/** A condition on amplitudes: the bits of the index at `mask` are `on`. */
export interface Condition {
  readonly mask: number;
  readonly on: number;
}

/** The condition that holds for all amplitudes. */
export const ALL: Condition = { mask: 0, on: 0 };

/** Returns a condition with the bit at one more position; null where no amplitude satisfies it. */
export function narrow({ mask, on }: Condition, position: number, value: number): Condition | null {
  const bit = 1 << position;
  const wanted = value << position;
  return mask & bit && (on & bit) !== wanted ? null : { mask: mask | bit, on: on | wanted };
}
