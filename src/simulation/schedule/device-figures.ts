/** The error of a gate, its average infidelity, and its length in nanoseconds. */
export interface GateFigure {
  readonly error: number;
  readonly length: number;
}

/** The figures of a qubit; times are in nanoseconds, and infinite where they are not known. */
export interface QubitFigures {
  readonly T1: number;
  /** At most twice `T1`; as an echo measures it. */
  readonly T2: number;
  /** Time in which slow changes of only the frequency shrink coherence to 1/e, as the exponential of a square. */
  readonly slowDephasing: number;
  readonly readoutLength: number;
  readonly zeroGivenOne: number;
  readonly oneGivenZero: number;
  /** The qubit's gates by name. */
  readonly gates: Readonly<Record<string, GateFigure>>;
  /** For gates that are not listed: the largest error and the largest length of those that are. */
  readonly otherwise: GateFigure;
}

/** The figures of a coupled pair of qubits. */
export interface PairFigures {
  readonly a: number;
  readonly b: number;
  /** The pair's gates by name, with `a` as their first qubit where they have a direction. */
  readonly gates: Readonly<Record<string, GateFigure>>;
  /** For gates that are not listed: those of the best gate. */
  readonly otherwise: GateFigure;
}

/** All that the schedule and the noise of a device depend on, as plain data. */
export interface DeviceFigures {
  readonly qubits: readonly QubitFigures[];
  /** Each pair in each direction that has gates. */
  readonly pairs: readonly PairFigures[];
  /** For pairs that are not coupled: the medians of the others. */
  readonly uncoupled: GateFigure;
}

/** A figure of a coupled pair of qubits. */
interface EdgeFigure {
  readonly source: number;
  readonly target: number;
  readonly value: number;
}

/**
 * The figures of a calibration that a schedule is made of: times in µs, lengths in ns. Gate errors are average
 * infidelities, as randomized benchmarking measures them.
 */
export interface TimedCalibration {
  /** The figures of a qubit, by its number. */
  readonly qubits: {
    readonly [qubit: string]: {
      readonly T1: number | null;
      readonly T2: number | null;
      readonly readoutError: number | null;
      readonly prob0Given1: number | null;
      readonly prob1Given0: number | null;
      readonly readoutLength: number | null;
      readonly gateError: { readonly [gate: string]: number };
      readonly gateLength: { readonly [gate: string]: number };
    };
  };
  readonly edges: {
    readonly gateError: { readonly [gate: string]: readonly EdgeFigure[] };
    readonly gateLength: { readonly [gate: string]: readonly EdgeFigure[] };
  };
}

/**
 * Lengths in nanoseconds that are assumed where a calibration has none of the kind, as that of IQM's Garnet: those
 * that its maker uses in simulated backends of its QPUs.
 */
export const ASSUMED_LENGTHS = { oneQubit: 40, twoQubit: 80, readout: 1000 } as const;

/**
 * Returns the figures of a device. What a qubit or pair lacks is filled with the median of the others. T2 is that of an
 * echo; a Ramsey experiment finds T2*, a share of it, as frequencies differ from shot to shot. Default: all of it. For a
 * transmon it is 0.79: 95 of 120 µs in Krantz et al., Applied Physics Reviews 6, 021318 (2019).
 */
export function deviceFigures(calibration: TimedCalibration, ramseyShare = 1): DeviceFigures {
  const numQubits = Math.max(-1, ...Object.keys(calibration.qubits).map(Number)) + 1;
  const qubits = Array.from({ length: numQubits }, (_, qubit) => calibration.qubits[qubit]);
  const filled = (figure: (qubit: TimedCalibration["qubits"][string]) => number | null, none: number) => {
    const known = qubits.map(qubit => (qubit ? figure(qubit) : null));
    const others = known.filter(value => value !== null);
    const otherwise = others.length > 0 ? median(others) : none;
    return known.map(value => value ?? otherwise);
  };
  const [T1, T2] = (["T1", "T2"] as const).map(name =>
    filled(qubit => (qubit[name] && qubit[name] > 0 ? 1000 * qubit[name] : null), Number.POSITIVE_INFINITY),
  ) as [number[], number[]];
  const misread = (figure: "prob0Given1" | "prob1Given0") =>
    filled(qubit => {
      const probability = qubit[figure] ?? qubit.readoutError;
      return probability === null ? null : clamp(probability, 1);
    }, 0);
  const [zeroGivenOne, oneGivenZero] = [misread("prob0Given1"), misread("prob1Given0")];
  const readout = filled(qubit => qubit.readoutLength, ASSUMED_LENGTHS.readout);
  const largest = (values: readonly number[]) => (values.length > 0 ? Math.max(...values) : null);
  const errors = filled(qubit => largest(Object.values(qubit.gateError)), 0);
  const lengths = filled(qubit => largest(Object.values(qubit.gateLength)), ASSUMED_LENGTHS.oneQubit);
  const pairs = pairsOf(calibration.edges);
  const slowness = ramseyShare / Math.sqrt(1 - ramseyShare);
  return {
    qubits: qubits.map((qubit, i) => ({
      T1: T1[i]!,
      T2: Math.min(T2[i]!, 2 * T1[i]!),
      slowDephasing: slowness * Math.min(T2[i]!, 2 * T1[i]!),
      readoutLength: readout[i]!,
      zeroGivenOne: zeroGivenOne[i]!,
      oneGivenZero: oneGivenZero[i]!,
      gates: Object.fromEntries(
        Object.entries(qubit?.gateError ?? {}).map(([name, error]) => [
          name,
          { error: limited(error, 2), length: qubit!.gateLength[name] ?? lengths[i]! },
        ]),
      ),
      otherwise: { error: limited(errors[i]!, 2), length: lengths[i]! },
    })),
    pairs,
    uncoupled: {
      error: median(pairs.map(({ otherwise }) => otherwise.error)),
      length: median(pairs.map(({ otherwise }) => otherwise.length)) || ASSUMED_LENGTHS.twoQubit,
    },
  };
}

const clamp = (value: number, max: number): number => Math.min(Math.max(value, 0), max);

/** Returns an average infidelity, at most that of the channel in which all Pauli errors and none are equally likely. */
const limited = (error: number, dimensions: number): number => clamp(error, 1 - 1 / dimensions);

/** Returns the median of some numbers; 0 where there are none. */
function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function pairsOf({ gateError, gateLength }: TimedCalibration["edges"]): PairFigures[] {
  const lengths = new Map<string, number>(
    Object.entries(gateLength).flatMap(([gate, figures]) =>
      figures.map(({ source, target, value }) => [`${gate} ${source} ${target}`, value] as const),
    ),
  );
  const usual = lengths.size > 0 ? median([...lengths.values()]) : ASSUMED_LENGTHS.twoQubit;
  const found = new Map<string, { a: number; b: number; gates: Record<string, GateFigure> }>();
  for (const [gate, figures] of Object.entries(gateError))
    for (const { source, target, value } of figures) {
      const key = `${source} ${target}`;
      const pair = found.get(key) ?? { a: source, b: target, gates: {} };
      const length = lengths.get(`${gate} ${key}`) ?? lengths.get(`${gate} ${target} ${source}`) ?? usual;
      pair.gates[gate] = { error: limited(value, 4), length };
      found.set(key, pair);
    }
  return [...found.values()].map(pair => ({
    ...pair,
    otherwise: Object.values(pair.gates).reduce((best, gate) => (gate.error < best.error ? gate : best)),
  }));
}
