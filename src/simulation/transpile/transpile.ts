import type { Circuit, CircuitParts } from "../circuit/circuit.ts";
import { checkPhysical, checkVerbatim, checkWidth } from "./checks.ts";
import { interactionsOf, Layout, type LayoutTrial, randomNumbers, sabreLayouts } from "./layout.ts";
import { type Operation, onPlaces, visitAll } from "./operation.ts";
import { elideSwaps, simplify, withoutDiagonalsBeforeMeasurement } from "./passes.ts";
import { layoutError, perfectLayout } from "./perfect-layout.ts";
import { readForWidth, readOperations, withoutKnown } from "./read.ts";
import { routeOperations } from "./route-operations.ts";
import { routingProblem } from "./routing-problem.ts";
import type { Target } from "./target.ts";
import { translate } from "./translate.ts";
import { writeCircuit } from "./write.ts";

/**
 * Effort of the transpiler. 0: qubit `i` begins on the physical qubit `i`, and each gate is translated separately.
 * 1: the same where that needs no swaps, else the layout is chosen by couplings and errors. 2: the layout always is,
 * and gates are cancelled and joined. 3: more layouts are tried.
 */
export type OptimizationLevel = 0 | 1 | 2 | 3;

/** Options of the transpiler. */
export interface TranspileOptions {
  /** Default: 1. */
  readonly optimizationLevel?: OptimizationLevel;
  /** The physical qubit of each of the program's, or of each that it touches, in order. Default: chosen. */
  readonly initialLayout?: readonly number[];
  /** The same seed gives the same circuit. Default: 0. */
  readonly seed?: number;
  /** Whether the program runs as it is written, in native gates on physical qubits, or not at all. Default: false. */
  readonly verbatim?: boolean;
}

/** A circuit of native gates on physical qubits, and where the program's qubits are. */
export interface Transpiled {
  readonly circuit: Circuit;
  /**
   * The physical qubit on which each qubit of the program begins, and on which it ends; -1 for untouched qubits
   * of a program that declares more than the device has.
   */
  readonly initialLayout: readonly number[];
  readonly finalLayout: readonly number[];
}

/** Trials of layouts by level, how often each goes there and back, and how many swaps they may judge, all together. */
const TRIALS = [0, 6, 12, 60] as const;
const ROUNDS = [0, 1, 2, 3] as const;
const MAX_JUDGED = [0, 4e5, 8e5, 3e6] as const;
/** Layouts that are routed to the end, and two-qubit gates of all of them together. */
const FINISHED = [1, 1, 2, 8] as const;
const MAX_FINISHED = 2000;

/**
 * Returns a program as native gates on the qubits and couplings of a device. It does the same, but for a phase, with its
 * qubits where the layouts say. A program of physical qubits keeps them.
 * Throws a {@link SimulationError} where the program does not fit.
 */
export function transpile(
  circuit: Circuit,
  target: Target,
  { optimizationLevel = 1, initialLayout, seed = 0, verbatim = false }: TranspileOptions = {},
): Transpiled {
  const isVerbatim = verbatim || circuit.parts.isVerbatim === true;
  if (isVerbatim) checkVerbatim(circuit, target, verbatim ? "`verbatim`" : "`#pragma braket verbatim`");
  const parts = withoutKnown(circuit.parts);
  if (parts.quantum[0]?.name === "$") {
    const layout = Array.from({ length: parts.numQubits }, (_, i) => i);
    let operations = readOperations(parts, layout);
    checkPhysical(operations, circuit, target);
    if (isVerbatim) return { circuit, initialLayout: layout, finalLayout: layout };
    if (optimizationLevel >= 2) operations = simplify(operations, target.numQubits);
    return finish(parts, target, operations, optimizationLevel, layout, layout);
  }
  let { operations, qubits } = readForWidth(parts, target.numQubits);
  const numQubits = qubits.length;
  const givenLayout =
    initialLayout?.length === parts.numQubits ? qubits.map(qubit => initialLayout[qubit]!) : initialLayout;
  checkWidth(qubits, target, givenLayout);
  let finalPlaces: readonly number[] = Array.from({ length: numQubits }, (_, i) => i);
  if (optimizationLevel >= 2) {
    operations = simplify(operations, target.numQubits);
    const elided = elideSwaps(operations, numQubits);
    finalPlaces = elided.finalPlaces;
    operations = simplify(withoutDiagonalsBeforeMeasurement(elided.operations), target.numQubits);
  }
  const random = randomNumbers(seed);
  const options = { optimizationLevel, initialLayout: givenLayout };
  const { candidates, isChosen } = startsOf(operations, qubits, target, options, random);
  const physicalQubits = [...Array(target.numQubits).keys()];
  let best: Routed | null = null;
  for (const { layout: start, keepsOrder } of candidates) {
    const end = start.copy();
    const problem = routingProblem(operations, target.numQubits, keepsOrder);
    let routed: readonly Operation[] = routeOperations(problem, end, numQubits, target, random);
    if (optimizationLevel >= 2)
      routed = simplify(
        withoutDiagonalsBeforeMeasurement(simplify(routed, target.numQubits)),
        target.numQubits,
      );
    const physical = interactionsOf(routed, target.numQubits, target.basis);
    const cost =
      physical.partners.reduce((sum, map) => [...map.values()].reduce((a, b) => a + b, sum), 0) / 2;
    const error = layoutError(physical, target, physicalQubits);
    if (!best || cost < best.cost || (cost === best.cost && error < best.error))
      best = { operations: routed, start, end, cost, error };
  }
  const chosen = best!;
  const moved = (isChosen && relocated(chosen, target)) || physicalQubits;
  const initial = new Array<number>(parts.numQubits).fill(-1);
  const final = initial.slice();
  qubits.forEach((qubit, virtual) => {
    initial[qubit] = moved[chosen.start.toPhysical[virtual]!]!;
    final[qubit] = moved[chosen.end.toPhysical[finalPlaces[virtual]!]!]!;
  });
  const onDevice = onPlaces(chosen.operations, physical => moved[physical]!);
  return finish(parts, target, onDevice, optimizationLevel, initial, final);
}

/** A program on a device: its layouts, the number of two-qubit gates, and the expected error. */
interface Routed {
  readonly operations: readonly Operation[];
  readonly start: Layout;
  readonly end: Layout;
  readonly cost: number;
  readonly error: number;
}

/** Layouts to begin with, and whether they were chosen, so others may take their places. */
interface Starts {
  readonly candidates: readonly Pick<LayoutTrial, "layout" | "keepsOrder">[];
  readonly isChosen: boolean;
}

function startsOf(
  operations: readonly Operation[],
  qubits: readonly number[],
  target: Target,
  {
    optimizationLevel,
    initialLayout,
  }: { optimizationLevel: OptimizationLevel; initialLayout: readonly number[] | undefined },
  random: () => number,
): Starts {
  const fixed = (layout: Layout) => ({
    candidates: [false, true].map(keepsOrder => ({ layout, keepsOrder })),
    isChosen: false,
  });
  if (initialLayout) return fixed(Layout.starting(initialLayout, target.numQubits));
  const numQubits = qubits.length;
  const places = qubits.at(-1)! < target.numQubits ? qubits : [...qubits.keys()];
  const interactions = interactionsOf(operations, numQubits, target.basis);
  const fits = interactions.partners.every((partners, a) =>
    [...partners.keys()].every(b => target.couplingOf(places[a]!, places[b]!)),
  );
  if (optimizationLevel === 0 || (optimizationLevel === 1 && fits))
    return fixed(Layout.starting(places, target.numQubits));
  const fit = perfectLayout(interactions, target);
  if (fit) return { ...fixed(Layout.starting(fit, target.numQubits)), isChosen: true };
  let pairs = 0;
  visitAll(operations, ({ kind }) => {
    if (kind === "two-qubit") pairs++;
  });
  const search = {
    trials: TRIALS[optimizationLevel],
    rounds: ROUNDS[optimizationLevel],
    maxJudged: MAX_JUDGED[optimizationLevel],
    random,
  };
  const candidates = sabreLayouts(operations, numQubits, target, search).slice(
    0,
    Math.min(FINISHED[optimizationLevel], Math.ceil(MAX_FINISHED / Math.max(1, pairs))),
  );
  return { candidates, isChosen: true };
}

/** Returns for each physical qubit one to replace it, with a smaller expected error; null if none is found. */
const relocated = ({ operations, error }: Routed, target: Target): readonly number[] | null =>
  perfectLayout(interactionsOf(operations, target.numQubits, target.basis), target, error);

function finish(
  parts: CircuitParts,
  target: Target,
  operations: readonly Operation[],
  optimizationLevel: OptimizationLevel,
  initialLayout: readonly number[],
  finalLayout: readonly number[],
): Transpiled {
  const native = translate(operations, target, optimizationLevel >= 2);
  return { circuit: writeCircuit(native, parts, target), initialLayout, finalLayout };
}
