import { KetbookError, rethrowAsKetbookError } from "../../client/index.ts";
import { describeValue, stringValue } from "../../contract/index.ts";
import {
  type Distribution,
  distancesOf,
  entropyOf,
  expectationOf,
  intervalsOf,
  isBitString,
  type Layout,
  mapOutcomes,
  matrixOfMeans,
  numberedCounts,
  type Observable,
  outcomesOf,
  positionsOf,
  select,
  withZeros,
} from "../../results/index.ts";
import { checkHelperOptions } from "../values/options.ts";
import type { BitOrder } from "./bit-order.ts";
import { DensityMatrix, pauliStrings } from "./density-matrix.ts";
import { ExpectationList, ExpectationValue, expectationRows } from "./expectation-list.ts";
import { TopList } from "./outcome-lists.ts";
import { Outcomes } from "./outcomes.ts";
import type { ResultRecord } from "./result-record.ts";

/** Whether some results are known to have their bits in one order, and others in the other. */
export function haveMixedOrders(results: readonly Outcomes[]): boolean {
  const orders = new Set(results.map(({ bitOrder }) => bitOrder.order));
  return orders.has("msb-first") && orders.has("lsb-first");
}

/** Outcomes with the figures that follow from them. */
export abstract class OutcomeStatistics extends Outcomes {
  /** The `n` likeliest outcomes in descending order. Default: 10. */
  top(n = 10): TopList {
    if (Number.isSafeInteger(n) && n >= 0) return TopList.make(this.values, n, this.accuracy);
    throw new KetbookError(`top(${describeValue(n)}): the number of outcomes must be whole, 0 or more.`);
  }

  /**
   * The mean of an observable with its standard error and interval: `expectation("ZZI")`,
   * `expectation("Z0 Z3")`, `expectation("0.5*ZI - ZZ")` or `expectation({ ZI: 0.5, ZZ: -1 })`. The interval is wider than
   * 0 even where all shots agree.
   *
   * @param observable - Pauli strings with a letter for each bit, written like an outcome, the last declared bit on the
   *   left; or with the numbers of the bits that they act on.
   * Of an exact run of a program without bits that kept its amplitudes, the mean is that of its state.
   *
   * @param options - In which basis the program measured, when it turned qubits before: `{ basis: "XX" }` after an `h`
   *   on both.
   * @throws KetbookError for a basis that was not measured, with the rotation that is needed; and where nothing was.
   */
  expectation(observable: Observable, options: { basis?: string } = {}): ExpectationValue {
    const question = `expectation(${JSON.stringify(observable)?.slice(0, 40)})`;
    const layout = this.layoutFor(question);
    checkHelperOptions(question, options, { basis: stringValue });
    if (this.statevector && this.hasNoBits && options.basis === undefined)
      return this.state.expectation(observable);
    if (layout.bits.length === 0)
      throw new KetbookError(
        `${question}: nothing was measured. Measure the qubits into bits, as in c = measure q; or take the exact state: run(…).shots(0).`,
      );
    return rethrowAsKetbookError(
      question,
      () =>
        new ExpectationValue(
          expectationOf(this.values, layout, observable, { ...options, ...this.accuracy }),
        ),
    );
  }

  /**
   * The interval of the probability of every outcome seen, by the rule of Clopper and Pearson: it contains the
   * probability in at least 95% of all cases. Empty for an exact run.
   */
  intervals(): { readonly [outcome: string]: { readonly low: number; readonly high: number } } {
    return intervalsOf(this.values, this.accuracy);
  }

  /** The Shannon entropy of the outcomes' shares, in bits. */
  entropy(): number {
    return entropyOf(this.values);
  }

  /** Half the sum of |p − q| over all outcomes: 0 for equal results, 1 for those that share no outcome. */
  totalVariation(other: OutcomeStatistics): number {
    return this.#distances("totalVariation", other).totalVariation;
  }

  /** The Hellinger distance √(1 − Σ √(pq)): 0 for equal results, 1 for those that share no outcome. */
  hellinger(other: OutcomeStatistics): number {
    return this.#distances("hellinger", other).hellinger;
  }

  /** The classical fidelity (Σ √(pq))², the Bhattacharyya coefficient squared: 1 for equal results. */
  fidelity(other: OutcomeStatistics): number {
    return this.#distances("fidelity", other).fidelity;
  }

  #distances(question: string, other: OutcomeStatistics) {
    this.check(question, other);
    const isMixed = haveMixedOrders([this, other]);
    const [here, there] = [this, other].map(each => (isMixed ? each.msbFirst().values : each.values));
    return distancesOf(here!, there!);
  }

  /** @internal Outcomes with the highest bit on the left, where the order is known, and their bits from right to left. */
  protected msbFirst(): { values: Distribution; bits: readonly number[] | undefined } {
    const { values, layout } = this;
    const areBits = isBitString(outcomesOf(values)[0] ?? "");
    if (!layout || !areBits || this.bitOrder.order !== "lsb-first") return { values, bits: layout?.bits };
    const positions = [...layout.bits.keys()].sort((a, b) => layout.bits[a]! - layout.bits[b]!);
    const { bits, write } = select(layout, positions);
    return { values: mapOutcomes(values, write), bits };
  }

  /** @internal Refuses what is not a result, and a result whose outcomes are of another width. */
  protected check(question: string, other: OutcomeStatistics): void {
    if (!(other instanceof OutcomeStatistics))
      throw new KetbookError(`${question} needs results. Is an await missing?`);
    const [here, there] = [this.layout, other.layout].map(layout => layout?.length);
    if (here !== undefined && there !== undefined && here !== there)
      throw new KetbookError(
        `${question}: outcomes of ${here} and of ${there} characters have nothing in common. ${here && there ? "Take marginals of equal width" : "Add measurements to the program that measures nothing"}.`,
      );
  }

  /**
   * Counts by the number that a bit string writes, in decimal digits: `"5"` for `101`. Bit 0 is the lowest, be it on
   * the right or on the left; where the order of bits is unknown, the rightmost.
   */
  decimalCounts(): Distribution {
    return this.#numbered("decimalCounts()", 10);
  }

  /** Counts as those of `decimalCounts`, in hexadecimal digits: `"0x5"` for `101`. */
  hexCounts(): Distribution {
    return this.#numbered("hexCounts()", 16);
  }

  #numbered(question: string, base: 10 | 16): Distribution {
    if (!this.exact)
      return rethrowAsKetbookError(question, () => numberedCounts(this.msbFirst().values, base));
    throw new KetbookError(`${question}: an exact result has probabilities, not counts.`);
  }

  /**
   * The expectation values of the run's `observables`, in their order, which a simulator computed from the final states
   * themselves: a list that shows itself as a table. Empty where none were asked for.
   *
   * @throws KetbookError if the service ignored them.
   *
   * @example
   * ```ts
   * import { qasm, run } from "ketbook";
   * const bell = qasm`include "stdgates.inc"; qubit[2] q; h q[0]; cx q[0], q[1];`;
   * const { observables } = await run(bell).observables("XX", "0.5*ZI - ZZ");
   * observables[0]?.value; // 1
   * ```
   */
  get observables(): ExpectationList {
    const advice = "Measure, and take result.expectation(…); or run on a simulator that computes them.";
    this.requireHonored("observables", "observables", advice);
    return ExpectationList.simulated(expectationRows([this]));
  }

  /**
   * The density matrix of some qubits in the final state of an exact run, before the measurements that end the program,
   * the other qubits traced out. Under noise, or if the program ends in several states, the run must have asked for
   * `.observables(...pauliStrings(qubits))`.
   *
   * @example
   * ```ts
   * import { pauliStrings, qasm, run } from "ketbook";
   * const bell = qasm`include "stdgates.inc"; qubit[2] q; h q[0]; cx q[0], q[1];`;
   * const result = await run(bell).on("density").observables(...pauliStrings([0, 1])).shots(0);
   * result.densityMatrix([0, 1]).purity; // below 1, for the noise
   * ```
   *
   * @throws KetbookError if these means are missing, or depend on shots.
   */
  densityMatrix(qubits: readonly number[]): DensityMatrix {
    const list = `[${[qubits].flat().slice(0, 8).join(", ")}]`;
    const problem = `densityMatrix(${list}): the means are not exact. Run the program exactly, with .shots(0), on a simulator that leaves nothing out.`;
    if ((this.estimatedFidelity ?? 1) < 1) throw new KetbookError(problem);
    if (this.statevector) return this.state.densityMatrix(qubits);
    const means = new Map(this.simulatedExpectations.map(mean => [mean.observable, mean]));
    const strings = pauliStrings(qubits);
    const missing = strings.find(string => !means.has(string));
    if (missing !== undefined)
      throw new KetbookError(
        `densityMatrix(${list}): the result lacks the mean of ${missing}. Add .observables(...pauliStrings(${list})).shots(0) to the run.`,
      );
    if (strings.some(string => means.get(string)!.shots > 0)) throw new KetbookError(problem);
    return new DensityMatrix(matrixOfMeans(qubits, string => means.get(string)!.value));
  }

  /**
   * Keeps some bits, in the order in which they stand, and adds up what differs in the others: the outcomes of
   * `marginal([0, 2])` are `c[2] c[0]`, as of `marginal(["c[0]", "c[2]"])`; `marginal(["c"])` keeps a register. Bits keep
   * the program's numbers, in what `marginal` and `reverseBits` gave too.
   *
   * @throws KetbookError for a bit that is unknown or named twice.
   */
  marginal(bits: readonly (number | string)[]): this {
    const question = `marginal([${[bits].flat().slice(0, 8).join(", ")}])`;
    const layout = this.layoutFor(question);
    return rethrowAsKetbookError(question, () =>
      this.#select(layout, positionsOf(layout, bits), this.bitOrder),
    );
  }

  /** Reverses the order of the bits, which puts `c[0]` on the left; a second call restores it. */
  reverseBits(): this {
    const layout = this.layoutFor("reverseBits()");
    const { order, reason } = this.bitOrder;
    const reversed = { "msb-first": "lsb-first", "lsb-first": "msb-first", unknown: "unknown" } as const;
    const bitOrder = { order: reversed[order], reason: `Reversed by reverseBits(). Before: ${reason}` };
    return this.#select(layout, [...layout.bits.keys()].reverse(), bitOrder);
  }

  /** Lists the outcomes that were never seen too, with 0; up to 20 bits. */
  withZeros(): this {
    const layout = this.layoutFor("withZeros()");
    const values = rethrowAsKetbookError("withZeros()", () => withZeros(this.values, layout));
    return this.#changed(values, layout, this.read.data.measurements, this.bitOrder);
  }

  #select(layout: Layout, positions: readonly number[], bitOrder: BitOrder): this {
    const { bits, write } = select(layout, positions);
    const measurements = this.read.data.measurements?.map(write) ?? null;
    return this.#changed(mapOutcomes(this.values, write), { ...layout, bits }, measurements, bitOrder);
  }

  #changed(
    values: Distribution,
    { registers, bits }: Pick<Layout, "registers" | "bits">,
    measurements: readonly string[] | null,
    bitOrder: BitOrder,
  ): this {
    const resultData = {
      measurementCounts: this.exact ? null : values,
      registers,
      ...(this.exact && { measurementProbabilities: values }),
      estimatedFidelity: this.estimatedFidelity,
      ...(measurements && { measurements }),
    };
    const { status, cost, timeStamps } = this.read.record;
    const record = { status, cost, timeStamps, resultData, bits, bitOrder };
    const Same = this.constructor as new (...given: ConstructorParameters<typeof Outcomes>) => this;
    return new Same(record, this.jobRecord, this.context, true);
  }

  /** The result as plain data, from which `Result.from` makes it again: all that the service said, and the order of bits. */
  toJSON(): ResultRecord {
    const { bitOrder, problem, jobRecord: job, context } = this;
    return { ...this.read.record, bitOrder, ...(problem !== null && { problem }), job, context };
  }
}
