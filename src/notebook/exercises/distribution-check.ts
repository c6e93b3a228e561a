import { formatNumber, present } from "../../display/index.ts";
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
  simulate,
} from "../../simulation/index.ts";
import { unlessProblem } from "../programs/program-figures.ts";
import {
  type CheckedProgram,
  type CheckRecipe,
  comparisonTable,
  type ExerciseCheck,
  programCheck,
  shareCell,
  type Verdict,
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
   * shots can tell where they are sampled; more where those that are wanted are rounded, as 0.333 is.
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

export function distributionCheck(
  wanted: Distribution,
  options: DistributionCheckOptions,
  exactTolerance: number,
  sampledTolerance: number,
  recipe: CheckRecipe,
): ExerciseCheck {
  const width = Object.keys(wanted)[0]!.length;
  const judge = ({ circuit }: CheckedProgram): Verdict => {
    const branches = executeBranches(circuit, {
      hasState: circuit.numQubits <= MAX_BRANCH_QUBITS,
      ignoresFinalMeasurements: true,
    });
    if (!branches.some(({ operations }) => operations.some(({ kind }) => kind === "measure")))
      return "The program measures nothing, so it has no outcomes. Measure its qubits into bits.";
    const counted = selectBits(circuit, branches, width, options.registers);
    if (typeof counted === "string") return counted;
    const unmeasured = options.allowComputedBits ? undefined : unmeasuredBit(branches, counted);
    if (unmeasured) return unmeasured;
    const select = (distribution: Distribution) =>
      mapOutcomes(distribution, outcome => {
        const bits = removeSpaces(outcome);
        return counted.reduce((text, { place }) => bits[circuit.numClbits - 1 - place]! + text, "");
      });
    const seed = options.seed ?? Math.floor(Math.random() * 2 ** 40);
    const sample = (shots: number, round: number) =>
      select(
        simulate(circuit, { shots, seed: derivedSeed(seed, round, ROUNDS), threads: 1 }).measurementCounts,
      );
    const test =
      (options.sampled ? undefined : exactTest(circuit, wanted, exactTolerance, select)) ??
      testSamples(wanted, sampledTolerance, sample);
    const { passed, shots, shares, distance, bound } = test;
    const isExact = shots === 0;
    const method = isExact
      ? "computed exactly"
      : `${formatNumber(shots)} shots; a right answer fails once in ${formatNumber(1 / FALSE_FAIL_RATE)} times at most`;
    if (passed) return { passed, message: `The outcomes are as they should be (${method}).` };
    const { totalVariation } = distancesOf(mapOutcomes(wanted, reverseSymbols), shares);
    const isReversed = width > 1 && totalVariation <= (isExact ? exactTolerance : bound);
    const names = counted.map(({ name }) => name).reverse();
    const rows = [...new Set([...Object.keys(wanted), ...Object.keys(shares)])]
      .map(name => ({ name, wanted: shareCell(wanted[name] ?? 0), found: shareCell(shares[name] ?? 0) }))
      .map(row => ({ ...row, difference: Math.abs(row.found.share - row.wanted.share) }))
      .sort((a, b) => b.difference - a.difference)
      .map(row => ({ ...row, isRight: row.difference <= Math.max(1e-4, bound) }));
    const [worst] = rows;
    const shown = rows.filter(row => row.wanted.share > 0 || row.found.share > 1e-6);
    return {
      message: present([
        `The outcome ${worst!.name} should have ${worst!.wanted.label}, and has ${worst!.found.label}.`,
        `The total variation distance is ${distance.toPrecision(3)} (${method}).`,
        isReversed &&
          `It would be right with the bits in reverse order; the outcome is read with ${names.join(" ")} from left to right.`,
      ]).join(" "),
      view: comparisonTable("Outcomes", "Outcome", shown),
    };
  };
  return programCheck("Outcomes", judge, recipe);
}

function exactTest(
  circuit: Circuit,
  wanted: Distribution,
  tolerance: number,
  select: (distribution: Distribution) => Distribution,
): ReturnType<typeof testSamples> | undefined {
  const limits = { shots: 0, threads: 1, maxMilliseconds: 10_000 };
  const found = unlessProblem(() => simulate(circuit, limits));
  if (!found) return undefined;
  const shares = select(found.measurementProbabilities ?? {});
  const distance = distancesOf(wanted, shares).totalVariation;
  return { passed: distance <= tolerance, distance, bound: 0, shots: 0, shares };
}

type CountedBit = Exclude<ReturnType<typeof selectBits>, string>[number];

/**
 * Selects the bits of a program that hold an answer of some width, the first one rightmost: the registers that are named; else
 * all bits, those that measurements write, or the one register of that width. Their names do not matter, nor do bits that
 * nothing writes. Each has its number in the circuit, and its place among the bits of registers. Says why they cannot be told.
 */
function selectBits(
  { registers }: Circuit,
  branches: readonly FinalBranch[],
  width: number,
  named: readonly string[] | undefined,
) {
  const places = registers.classical.flatMap(({ name, width, offset }) =>
    Array.from({ length: width }, (_, i) => ({
      register: name,
      name: width > 1 ? `${name}[${i}]` : name,
      bit: offset + i,
    })),
  );
  const all = places.map((bit, place) => ({ ...bit, place }));
  const bitsOf = (register: string) => all.filter(bit => bit.register === register);
  const missing = named?.find(name => !registers.classical.some(register => register.name === name));
  if (missing) return `The program has no register ${missing}, which is to hold the answer.`;
  const ofWidth = registers.classical.filter(register => register.width === width);
  const written = all.filter(({ bit }) => branches.some(({ isMeasured }) => isMeasured[bit] !== null));
  const candidates = named
    ? [named.flatMap(bitsOf)]
    : [all, written, ...(ofWidth.length === 1 ? [bitsOf(ofWidth[0]!.name)] : [])];
  return (
    candidates.find(({ length }) => length === width) ??
    `The program measures into ${written.length} bits, and ${width} ${width === 1 ? "is" : "are"} asked for. Measure them into one register of that width, as in bit[${width}] c;`
  );
}

/** Says which of the counted bits no measurement has written, in some branch. */
function unmeasuredBit(branches: readonly FinalBranch[], counted: readonly CountedBit[]): string | undefined {
  for (const { isMeasured } of branches)
    for (const { bit, name } of counted) {
      if (isMeasured[bit] === null) return `Nothing is measured into ${name}.`;
      if (!isMeasured[bit])
        return `${name} is set by the program, and not by a measurement; its value has to come from a qubit.`;
    }
  return undefined;
}

/** The probability with which a right answer fails a test of samples. */
const FALSE_FAIL_RATE = 1e-6;

const FIRST_SHOTS = 2000;
const MAX_SHOTS = 4_000_000;

/**
 * Tests by samples whether a program has a distribution, with more shots until it is decided. A right answer fails with a
 * probability of at most {@link FALSE_FAIL_RATE} over all rounds, and one that is off by more than the tolerance passes with no
 * more: in round `k` the distance of `n` shots from their distribution over `m` outcomes is below
 * √((m ln 2 + ln(1/α)) / 2n) with the probability 1 − α (Weissman et al., 2003), and α is the rate over 2^k.
 *
 * @param sample - Runs the program with a number of shots and another seed each time, and returns the counts.
 * @returns The total variation distance from the wanted distribution, and its bound for a right answer.
 */
function testSamples(
  wanted: Distribution,
  tolerance: number,
  sample: (shots: number, round: number) => Distribution,
) {
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
