import type { Meter } from "../interpreter/execution-state.ts";
import { matrix2 } from "../linear-algebra/one-qubit.ts";
import type { FreshQubit, Step } from "./gate-fuser.ts";
import { stepsWithin } from "./schedule.ts";
import type { Planes } from "./small-amplitudes.ts";
import { SmallAmplitudes } from "./small-amplitudes.ts";

/** Tolerance of the test whether a state is a product: the largest difference of products of two amplitudes. */
const ROUNDING = 1e-15;
/** The fewest positions for which parts are looked for. */
const MIN_POSITIONS = 18;
/** The fewest changes of bits for which parts are worth it. */
const MIN_CHANGES = 4;
/** Largest distance of a cut from the middle position. */
const MAX_OFFSET = 3;

/** States of the positions below a cut and from there on, the product of which is that of all, and the steps still to be done. */
interface SeparateParts {
  readonly low: Planes;
  readonly high: Planes;
  readonly rest: Step[];
}

/**
 * Cuts a start and the qubits that have not met it in two parts and does on each the steps that come before the parts
 * meet: a part has little more than the square root of all amplitudes. The cut is where most changes can be done.
 * Returns null where the start is entangled at all such cuts, or little can be done before.
 */
export function separateParts(
  start: Planes,
  fresh: readonly FreshQubit[],
  steps: readonly Step[],
  meter: Meter,
): SeparateParts | null {
  const numStart = Math.log2(start.size);
  const numPositions = numStart + fresh.length;
  if (numPositions < MIN_POSITIONS) return null;
  const middle = numPositions >> 1;
  const cuts: { cut: number; ready: Step[]; rest: Step[]; changes: number }[] = [];
  for (let cut = middle - MAX_OFFSET; cut <= middle + MAX_OFFSET; cut++) {
    const { steps: ready, rest } = stepsWithin(steps, [2 ** cut - 1, 2 ** numPositions - 2 ** cut]);
    const changes = ready.reduce((sum, { kind }) => sum + Number(kind !== "phase"), 0);
    if (changes >= MIN_CHANGES) cuts.push({ cut, ready, rest, changes });
  }
  const pivot = indexOfLargest(start);
  const best = cuts
    .sort((a, b) => b.changes - a.changes)
    .find(({ cut }) => cut >= numStart || isProduct(start, cut, pivot));
  if (!best) return null;
  const { cut, ready, rest } = best;
  const [low, high] = factors(start, Math.min(cut, numStart), pivot);
  for (const qubit of fresh) addFresh(low.numPositions < cut ? low : high, qubit);
  for (const step of ready) {
    const isLow = step.kind === "phase" ? step.mask < 2 ** cut : step.position < cut;
    const part = isLow ? low : high;
    meter.work(2 ** part.numPositions, 0);
    apply(part, step, isLow ? 0 : cut);
  }
  return { low: low.planes(), high: high.planes(), rest };
}

function indexOfLargest({ re, im, size }: Planes): number {
  let pivot = 0;
  let most = 0;
  for (let i = 0; i < size; i++) {
    const weight = re[i]! * re[i]! + im[i]! * im[i]!;
    if (weight <= most) continue;
    pivot = i;
    most = weight;
  }
  return pivot;
}

/** Whether the positions below a cut are not entangled with the others, by an amplitude that is not 0. */
function isProduct({ re, im, size }: Planes, cut: number, pivot: number): boolean {
  const column = pivot & (2 ** cut - 1);
  const [pr, pi] = [re[pivot]!, im[pivot]!];
  for (let i = 0; i < size; i++) {
    const low = (i & (2 ** cut - 1)) | (pivot - column);
    const high = i - (i & (2 ** cut - 1)) + column;
    const [x, y, u, v] = [re[high]!, im[high]!, re[low]!, im[low]!];
    const errorRe = re[i]! * pr - im[i]! * pi - (x * u - y * v);
    const errorIm = re[i]! * pi + im[i]! * pr - (x * v + y * u);
    if (Math.abs(errorRe) + Math.abs(errorIm) > ROUNDING) return false;
  }
  return true;
}

/** Returns states of the lowest positions and of the others, the product of which is a state. */
function factors(
  { re, im, size }: Planes,
  cut: number,
  pivot: number,
): [low: SmallAmplitudes, high: SmallAmplitudes] {
  const lowSize = 2 ** cut;
  const column = pivot & (lowSize - 1);
  const row = pivot - column;
  const low = { re: re.slice(row, row + lowSize), im: im.slice(row, row + lowSize), size: lowSize };
  const highSize = size / lowSize;
  const high = { re: new Float64Array(highSize), im: new Float64Array(highSize), size: highSize };
  const [pr, pi] = [re[pivot]!, im[pivot]!];
  const norm = pr * pr + pi * pi;
  for (let j = 0; j < highSize; j++) {
    const [x, y] = [re[j * lowSize + column]!, im[j * lowSize + column]!];
    high.re[j] = (x * pr + y * pi) / norm;
    high.im[j] = (y * pr - x * pi) / norm;
  }
  return [new SmallAmplitudes(low), new SmallAmplitudes(high)];
}

/** Adds a qubit at the highest position. */
function addFresh(part: SmallAmplitudes, { re, im }: FreshQubit): void {
  const scale = 1 / Math.sqrt(1 + re * re + im * im);
  part.addQubit();
  part.matrix(part.numPositions - 1, 0, 0, matrix2(scale, 0, 0, 0, scale * re, scale * im, 1, 0));
}

/** Does a step, with positions from another one on. */
function apply(part: SmallAmplitudes, step: Step, from: number): void {
  if (step.kind === "phase") part.phase(step.mask >>> from, step.on >>> from, step.re, step.im);
  else if (step.kind === "rotation") {
    const { position, cosine, tangent } = step;
    const sine = cosine * tangent;
    part.matrix(position - from, 0, 0, matrix2(cosine, 0, -sine, 0, sine, 0, cosine, 0));
  } else {
    const [a, b, c, d] = step.matrix;
    part.matrix(step.position - from, step.mask >>> from, step.on >>> from, matrix2(a, 0, b, 0, c, 0, d, 0));
  }
}
