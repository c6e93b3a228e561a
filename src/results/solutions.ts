const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Reads a finite number, which services also write as a string such as `"130.0"` or `"0E-33"`; `null` for others. */
export function parseNumber(value: unknown): number | null {
  const number =
    typeof value === "string" && value.length <= 400 && decimal.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** A solution that an annealer found. */
export interface Solution {
  /** Energy of the spins, in the units of the problem; null when the provider does not say it. */
  energy: number | null;
  /** Number of occurrences; 1 if the provider does not report it. */
  occurrences: number;
  /** Seconds that finding it took, as the provider measured them. */
  time: number | null;
  /** Whether it satisfies the constraints. */
  constraint: boolean | null;
  /** Variable to value: 0 or 1, or −1 or 1. */
  spins: { readonly [variable: string]: number };
  /** Further data of the provider, such as `memory_usage`. */
  [member: string]: unknown;
}

const isSpin = (value: unknown): value is number | boolean =>
  typeof value === "boolean" || Number.isFinite(value);

/** Reads a solution of an annealer; `undefined` for anything else. */
export function readSolution(given: unknown): Solution | undefined {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
  const { spin, spins, num_occurrences, numOccurrences, occurrences, energy, time, constraint, ...more } =
    given as { [member: string]: unknown };
  const values = Object.entries(Object(spins ?? spin ?? {})).filter(([, value]) => isSpin(value));
  const times = parseNumber(occurrences ?? numOccurrences ?? num_occurrences);
  return {
    energy: parseNumber(energy),
    occurrences: times !== null && times >= 0 ? times : 1,
    time: parseNumber(time),
    constraint: typeof constraint === "boolean" ? constraint : null,
    spins: Object.freeze(Object.fromEntries(values.map(([name, value]) => [name, Number(value)]))),
    ...more,
  };
}

/** Orders solutions by energy, the lowest first; those of no known energy come last. */
export function compareEnergies(a: Solution, b: Solution): number {
  return (a.energy ?? Number.POSITIVE_INFINITY) - (b.energy ?? Number.POSITIVE_INFINITY) || 0;
}
