import { formatNumber, formatPercent, type RenderedView } from "../../display/index.ts";
import {
  type Distribution,
  distancesOf,
  mapOutcomes,
  probabilitiesOf,
  removeSpaces,
  reverseSymbols,
} from "../../results/index.ts";
import {
  type Circuit,
  derivedSeed,
  executeBranches,
  type FinalBranch,
  MAX_BRANCH_QUBITS,
  SimulationError,
  simulate,
} from "../../simulation/index.ts";
import {
  type CheckedProgram,
  type CheckRecipe,
  comparisonTable,
  type ExerciseCheck,
  programCheck,
  type ShownFinding,
} from "./exercise-check.ts";

const ROUNDS = 34;

/** Options for checking the outcomes of a program. */
export interface DistributionCheckOptions {
  /** The classical registers that hold the outcome, the first one rightmost. Default: told by their width. */
  registers?: readonly string[];
  /** Whether bits that the program computes count as well as those that it measures, as after a correction. Default: false. */
  allowComputedBits?: boolean;
  /**
   * Largest total variation distance that passes. Default: 1e-4 where probabilities are exact, and 0.02 or what 4,000,000
   * shots can tell where they are sampled.
   */
  tolerance?: number;
  /**
   * Whether the program is sampled also where its probabilities could be computed. A right answer then fails with a
   * probability of at most 10^-6. Default: false.
   */
  sampled?: boolean;
  /** Decides the samples. A whole number. Default: drawn at random. */
  seed?: number;
}

/** Makes a check of the outcomes that a program measures. @internal */
export function distributionCheck(
  wanted: Distribution,
  options: DistributionCheckOptions,
  exactTolerance: number,
  sampledTolerance: number,
  recipe: CheckRecipe,
): ExerciseCheck {
  const width = Object.keys(wanted)[0]!.length;
  const judge = ({ circuit }: CheckedProgram): Omit<ShownFinding, "title"> => {
    const branches = executeBranches(circuit, {
      hasState: circuit.numQubits <= MAX_BRANCH_QUBITS,
      ignoresFinalMeasurements: true,
    });
    if (!branches.some(({ operations }) => operations.some(({ kind }) => kind === "measure")))
      return {
        passed: false,
        message: "The program measures nothing, so it has no outcomes. Measure its qubits into bits.",
      };
    const counted = selectBits(circuit, branches, width, options.registers);
    if ("problem" in counted) return { passed: false, message: counted.problem };
    const unmeasured = options.allowComputedBits ? null : unmeasuredBit(branches, counted);
    if (unmeasured) return { passed: false, message: unmeasured };
    const select = (distribution: Distribution) =>
      mapOutcomes(distribution, outcome => {
        const bits = removeSpaces(outcome);
        return counted.places.reduce((text, place) => bits[circuit.numClbits - 1 - place]! + text, "");
      });
    const exact = options.sampled ? undefined : exactTest(circuit, wanted, exactTolerance, select);
    const seed = options.seed ?? Math.floor(Math.random() * 2 ** 40);
    const test =
      exact ??
      testSamples(wanted, sampledTolerance, (shots, round) =>
        select(
          simulate(circuit, { shots, seed: derivedSeed(seed, round, ROUNDS), threads: 1 }).measurementCounts,
        ),
      );
    if (test.passed)
      return { passed: true, message: `The outcomes are as they should be (${methodText(test)}).` };
    const { totalVariation } = distancesOf(mapOutcomes(wanted, reverseSymbols), test.shares);
    const isReversed = width > 1 && totalVariation <= (exact ? exactTolerance : test.bound);
    return {
      passed: false,
      message: [
        worstOutcome(wanted, test),
        `The total variation distance is ${test.distance.toPrecision(3)} (${methodText(test)}).`,
        isReversed &&
          `It would be right with the bits in reverse order; the outcome is read with ${counted.names.toReversed().join(" ")} from left to right.`,
      ]
        .filter(Boolean)
        .join(" "),
      view: outcomesView(wanted, test),
    };
  };
  return programCheck("Outcomes", judge, recipe);
}

function exactTest(
  circuit: Circuit,
  wanted: Distribution,
  tolerance: number,
  select: (distribution: Distribution) => Distribution,
): DistributionTest | undefined {
  try {
    const found =
      simulate(circuit, { shots: 0, threads: 1, maxMilliseconds: 10_000 }).measurementProbabilities ?? {};
    const shares = select(found);
    const distance = distancesOf(wanted, shares).totalVariation;
    return { passed: distance <= tolerance, distance, bound: 0, shots: 0, shares };
  } catch (error) {
    if (error instanceof SimulationError) return undefined;
    throw error;
  }
}

const methodText = ({ shots }: DistributionTest) =>
  shots === 0
    ? "computed exactly"
    : `${formatNumber(shots)} shots; a right answer fails once in ${formatNumber(1 / FALSE_FAIL_RATE)} times at most`;

const differences = (wanted: Distribution, { shares }: DistributionTest) =>
  [...new Set([...Object.keys(wanted), ...Object.keys(shares)])]
    .map(outcome => ({ outcome, wanted: wanted[outcome] ?? 0, found: shares[outcome] ?? 0 }))
    .sort((a, b) => Math.abs(b.found - b.wanted) - Math.abs(a.found - a.wanted));

function worstOutcome(wanted: Distribution, test: DistributionTest): string {
  const [worst] = differences(wanted, test);
  return `The outcome ${worst!.outcome} should have ${formatPercent(worst!.wanted)}, and has ${formatPercent(worst!.found)}.`;
}

function outcomesView(wanted: Distribution, test: DistributionTest): RenderedView {
  const cell = (share: number) => ({ share, label: formatPercent(share) });
  const rows = differences(wanted, test)
    .filter(row => row.wanted > 0 || row.found > 1e-6)
    .map(row => ({
      name: row.outcome,
      wanted: cell(row.wanted),
      found: cell(row.found),
      isRight: Math.abs(row.found - row.wanted) <= Math.max(1e-4, test.bound),
    }));
  return comparisonTable("Outcomes", "Outcome", rows);
}

/** The bits of a program that are counted, in order, or why they cannot be told. @internal */
type CountedBits =
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
function unmeasuredBit(
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

/** The probability with which a right answer fails a test of samples. */
const FALSE_FAIL_RATE = 1e-6;

interface DistributionTest {
  readonly passed: boolean;
  /** Half the sum of all differences between the shares found and the probabilities wanted. */
  readonly distance: number;
  /** Bound on the distance of a right answer, except at the stated rate; 0 for exact probabilities. */
  readonly bound: number;
  readonly shots: number;
  readonly shares: Distribution;
}

const FIRST_SHOTS = 2000;
const MAX_SHOTS = 4_000_000;

/**
 * Tests by samples whether a program has a distribution, with more shots until it is decided. A right answer fails with a
 * probability of at most {@link FALSE_FAIL_RATE} over all rounds, and one that is off by more than the tolerance passes with no
 * more: in round `k` the distance of `n` shots from their distribution over `m` outcomes is below
 * √((m ln 2 + ln(1/α)) / 2n) with the probability 1 − α (Weissman et al., 2003), and α is the rate over 2^k.
 *
 * @param sample - Runs the program with a number of shots and another seed each time, and returns the counts.
 */
function testSamples(
  wanted: Distribution,
  tolerance: number,
  sample: (shots: number, round: number) => Distribution,
): DistributionTest {
  const support = Object.keys(wanted);
  for (let round = 1, shots = FIRST_SHOTS; ; round++, shots = Math.min(4 * shots, MAX_SHOTS)) {
    const counts = sample(shots, round);
    const shares = probabilitiesOf(counts);
    const grouped = Object.fromEntries(support.map(outcome => [outcome, shares[outcome] ?? 0]));
    const rest = 1 - Object.values(grouped).reduce((sum, share) => sum + share, 0);
    const distance = distancesOf(wanted, { ...grouped, rest: Math.max(0, rest) }).totalVariation;
    const alpha = FALSE_FAIL_RATE / 2 ** round;
    const bound = Math.sqrt(((support.length + 1) * Math.LN2 - Math.log(alpha)) / (2 * shots));
    const found = { distance, bound, shots, shares };
    if (distance > bound) return { passed: false, ...found };
    if (distance + bound <= tolerance || shots >= MAX_SHOTS)
      return { passed: distance + bound <= tolerance, ...found };
  }
}

/** The least tolerance that samples can decide over a number of outcomes. */
export const leastTolerance = (outcomes: number): number =>
  2 * Math.sqrt(((outcomes + 1) * Math.LN2 - Math.log(FALSE_FAIL_RATE / 2 ** 7)) / (2 * MAX_SHOTS));
