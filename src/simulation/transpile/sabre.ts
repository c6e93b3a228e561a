import type { Layout } from "./layout.ts";
import type { Operation } from "./operation.ts";
import { type RoutingProblem, startProblem } from "./routing-problem.ts";
import { PairDistances, SwapCosts } from "./swap-costs.ts";
import type { Target } from "./target.ts";

/** Receives routed operations in a possible order, and swaps of physical qubits. */
interface RoutingSink {
  /** Is called with an operation where it can be done. */
  operation(operation: Operation): void;
  /** Is called with a swap, after the layout has changed. */
  swap(a: number, b: number): void;
}

interface RoutingOutcome {
  /** Native gates that the swaps add. */
  readonly cost: number;
  /** Number of evaluated swaps. */
  readonly judged: number;
}

const EXTENDED_SIZE = 20;
const EXTENDED_WEIGHT = 0.5;
const DECAY = 0.001;
const DECAY_RESET = 5;
/** Weight of the native gates that a swap adds, relative to the distance that it saves. */
const COST_WEIGHT = 0.3;

/**
 * Routes operations by SABRE (Li, Ding, Xie, arXiv:1809.02573): where none of the front layer can be done, the swap is made
 * after which the distances in the front layer and, with less weight, those of what follows are least. A swap of
 * qubits whose last gate was a common one costs what it adds to that gate. Changes the layout to the one at the end.
 */
export function route(
  problem: RoutingProblem,
  layout: Layout,
  target: Target,
  random: () => number,
  sink?: RoutingSink,
): RoutingOutcome {
  return new Router(problem, layout, target, random, sink).run();
}

class Router {
  readonly #problem: RoutingProblem;
  readonly #layout: Layout;
  readonly #target: Target;
  readonly #random: () => number;
  readonly #sink: RoutingSink | undefined;
  readonly #complete: (operation: number) => void;
  readonly #isDone: Uint8Array;
  readonly #ready: number[] = [];
  /** Two-qubit operations that wait only for their qubits to meet, and those that follow. */
  readonly #front: PairDistances;
  readonly #extended: PairDistances;
  #nextPair = 0;
  readonly #decay: Float64Array;
  readonly #costs: SwapCosts;
  /** The last step in which the swap of a pair was judged. */
  readonly #judgedAt: Int32Array;
  #step = 0;
  #cost = 0;
  #judged = 0;

  constructor(
    problem: RoutingProblem,
    layout: Layout,
    target: Target,
    random: () => number,
    sink: RoutingSink | undefined,
  ) {
    this.#problem = problem;
    this.#layout = layout;
    this.#target = target;
    this.#random = random;
    this.#sink = sink;
    this.#isDone = new Uint8Array(problem.operations.length);
    this.#front = new PairDistances(problem, layout, target);
    this.#extended = new PairDistances(problem, layout, target);
    this.#decay = new Float64Array(target.numQubits).fill(1);
    this.#costs = new SwapCosts(target);
    this.#judgedAt = new Int32Array(target.numQubits ** 2);
    this.#complete = startProblem(problem, operation => this.#ready.push(operation));
  }

  run(): RoutingOutcome {
    this.#advance();
    let sinceProgress = 0;
    const patience = 10 * this.#target.numQubits;
    while (this.#front.operations.length > 0) {
      if (sinceProgress > patience) this.#force();
      else {
        const [a, b] = this.#bestSwap();
        this.#swap(a, b);
        this.#decay[a]! += DECAY;
        this.#decay[b]! += DECAY;
      }
      sinceProgress++;
      const hasAdvanced = this.#advance();
      if (hasAdvanced || sinceProgress % DECAY_RESET === 0) this.#decay.fill(1);
      if (hasAdvanced) sinceProgress = 0;
    }
    return { cost: this.#cost, judged: this.#judged };
  }

  /** Does all that can be done. Returns whether there was any. */
  #advance(): boolean {
    const { firstQubits } = this.#problem;
    let hasMoved = false;
    const still: number[] = [];
    for (const operation of this.#front.operations)
      if (this.#front.distanceOf(operation) === 1) {
        this.#finish(operation);
        hasMoved = true;
      } else still.push(operation);
    for (let next = this.#ready.pop(); next !== undefined; next = this.#ready.pop()) {
      if (firstQubits[next]! >= 0 && this.#front.distanceOf(next) !== 1) still.push(next);
      else this.#finish(next);
      hasMoved = true;
    }
    if (hasMoved) this.#front.replace(still);
    if (hasMoved && still.length > 0) this.#lookAhead();
    return hasMoved;
  }

  #finish(index: number): void {
    this.#isDone[index] = 1;
    const operation = this.#problem.operations[index]!;
    this.#sink?.operation(operation);
    this.#costs.remember(operation, this.#layout.toPhysical);
    this.#complete(index);
  }

  #swap(a: number, b: number): void {
    this.#cost += this.#costs.costOf(a, b);
    this.#costs.swap(a, b);
    this.#layout.swap(a, b);
    this.#sink?.swap(a, b);
  }

  #lookAhead(): void {
    const { pairs } = this.#problem;
    const front = new Set(this.#front.operations);
    while (this.#nextPair < pairs.length && this.#isDone[pairs[this.#nextPair]!]) this.#nextPair++;
    const extended: number[] = [];
    for (let i = this.#nextPair; i < pairs.length && extended.length < EXTENDED_SIZE; i++) {
      const operation = pairs[i]!;
      if (!this.#isDone[operation] && !front.has(operation)) extended.push(operation);
    }
    this.#extended.replace(extended);
  }

  #bestSwap(): readonly [number, number] {
    const { toPhysical, toVirtual } = this.#layout;
    const { neighbours, numQubits } = this.#target;
    const { firstQubits, secondQubits } = this.#problem;
    const step = ++this.#step;
    const frontSum = this.#front.sum();
    const extendedSum = this.#extended.sum();
    const frontWeight = 1 / this.#front.operations.length;
    const numExtended = this.#extended.operations.length;
    const extendedWeight = numExtended > 0 ? EXTENDED_WEIGHT / numExtended : 0;
    let [bestA, bestB, ties] = [-1, -1, 0];
    let least = Number.POSITIVE_INFINITY;
    for (const operation of this.#front.operations)
      for (let place = 0; place < 2; place++) {
        const p = (place === 0 ? firstQubits : secondQubits)[operation]!;
        const a = toPhysical[p]!;
        for (const b of neighbours[a]!) {
          const key = a < b ? a * numQubits + b : b * numQubits + a;
          if (this.#judgedAt[key] === step) continue;
          this.#judgedAt[key] = step;
          this.#judged++;
          const q = toVirtual[b]!;
          const front = frontSum + this.#front.change(p, q, a, b);
          const extended = extendedSum + this.#extended.change(p, q, a, b);
          const cost = (COST_WEIGHT / 3) * this.#costs.costOf(a, b);
          const score =
            ((front + cost) * frontWeight + extended * extendedWeight) *
            Math.max(this.#decay[a]!, this.#decay[b]!);
          if (score < least - 1e-10) [least, bestA, bestB, ties] = [score, a, b, 1];
          else if (score <= least + 1e-10 && this.#random() * ++ties < 1) [bestA, bestB] = [a, b];
        }
      }
    return [bestA, bestB];
  }

  /** Brings the qubits of the closest operation of the front layer together. */
  #force(): void {
    const front = this.#front;
    const closest = front.operations.reduce((a, b) => (front.distanceOf(b) < front.distanceOf(a) ? b : a));
    const { toPhysical } = this.#layout;
    const { distances, neighbours, numQubits } = this.#target;
    while (front.distanceOf(closest) > 1) {
      const from = toPhysical[this.#problem.firstQubits[closest]!]!;
      const to = toPhysical[this.#problem.secondQubits[closest]!]!;
      const towards = (at: number) => distances[at * numQubits + to]!;
      this.#swap(from, neighbours[from]!.find(next => towards(next) < towards(from))!);
    }
  }
}
