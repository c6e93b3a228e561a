import { basisState, formatPhase } from "../../charts/index.ts";
import type { RenderedView } from "../../display/index.ts";
import { executeBranches, type FinalBranch } from "../../simulation/index.ts";
import { stateText } from "../programs/trace.ts";
import {
  type Columns,
  type ComparisonRules,
  orders,
  outputDistance,
  reordered,
  type SplitOutputs,
  splitOutputs,
  squareOf,
  superposition,
  tellingInput,
} from "./compare-outputs.ts";
import {
  type CheckedProgram,
  type CheckRecipe,
  comparisonTable,
  type ExerciseCheck,
  programCheck,
  quoteLine,
  shareCell,
  type Verdict,
} from "./exercise-check.ts";
import { type QubitSelection, selectQubits } from "./select-qubits.ts";

/** Options for comparing states or unitaries. */
export interface OutputCheckOptions extends QubitSelection {
  /**
   * State in which ancillas, and with `qubits` all others, must end: `"zero"`, or `"any"` state not entangled with the
   * checked qubits. Default: `"zero"`; with `qubits` `"any"`.
   */
  othersEnd?: "zero" | "any";
  /** Whether a phase of the whole state matters, as it does where the program is to be controlled. Default: `"ignored"`. */
  globalPhase?: "ignored" | "exact";
  /** Measurements at the end of the program: `"count"`, which destroy the state, or `"ignored"`. Default: `"count"`. */
  finalMeasurements?: "count" | "ignored";
  /** Largest distance of an output from the one that is asked for that passes as rounding, up to 0.1. Default: 1e-4. */
  tolerance?: number;
}

interface WantedOutputs {
  readonly title: string;
  /** One column for each input; a single one where only |0…0⟩ is an input. */
  readonly columns: Columns;
  readonly isUnitary: boolean;
  readonly order: "exact" | "any" | "any-output";
}

const MAX_PERMUTED = 6;
const POSSIBLE = 1e-9;

export const outputCheck = (
  wanted: WantedOutputs,
  options: OutputCheckOptions,
  recipe: CheckRecipe,
): ExerciseCheck => programCheck(wanted.title, answer => compareOutputs(answer, wanted, options), recipe);

function compareOutputs(answer: CheckedProgram, wanted: WantedOutputs, options: OutputCheckOptions): Verdict {
  const { tolerance = 1e-4, globalPhase = "ignored", othersEnd = options.qubits ? "any" : "zero" } = options;
  const { circuit } = answer;
  const count = Math.log2(wanted.columns[0]!.length / 2);
  const selected = selectQubits(circuit, count, options);
  if (typeof selected === "string") return selected;
  const { data, idle } = selected;
  const rules: ComparisonRules = { othersEnd, globalPhase };
  const branches = executeBranches(circuit, {
    inputs: wanted.isUnitary ? data : [],
    ignoresFinalMeasurements: options.finalMeasurements === "ignored",
  }).filter(({ probability }) => probability > POSSIBLE);
  const touched = branches
    .flatMap(({ operations }) => operations)
    .find(({ qubits }) => qubits.some(one => idle.includes(one)));
  if (touched)
    return `The program uses more than the ${count} qubit${count === 1 ? "" : "s"} that ${count === 1 ? "is" : "are"} asked for${quoteLine(answer, touched.line)}.`;
  const outputs = branches.map(({ amplitudes }) => splitOutputs(amplitudes, circuit.numQubits, data));
  const distance = (columns: Columns) => Math.max(...outputs.map(one => outputDistance(one, columns, rules)));
  const isRight = distance(wanted.columns) <= tolerance;
  const movesInputs = wanted.isUnitary && wanted.order !== "any-output";
  const order =
    isRight || count > MAX_PERMUTED
      ? undefined
      : orders(count).find(one => distance(reordered(wanted.columns, one, movesInputs)) <= tolerance);
  if (!isRight && (!order || wanted.order === "exact"))
    return explain(answer, wanted, outputs, branches, rules, order, data, tolerance);
  return {
    passed: true,
    message: wanted.isUnitary
      ? "It does what is asked for to every input."
      : "It prepares the state that is asked for.",
  };
}

function explain(
  answer: CheckedProgram,
  { columns, isUnitary }: WantedOutputs,
  outputs: readonly SplitOutputs[],
  branches: readonly FinalBranch[],
  rules: ComparisonRules,
  order: readonly number[] | undefined,
  data: readonly number[],
  tolerance: number,
): Verdict {
  const worst = outputs.reduce((a, b) =>
    outputDistance(b, columns, rules) > outputDistance(a, columns, rules) ? b : a,
  );
  const { states, fidelity } = tellingInput(worst, columns, rules);
  const isPhaseAlone =
    rules.globalPhase === "exact" &&
    outputDistance(worst, columns, { ...rules, globalPhase: "ignored" }) <= tolerance;
  const numQubits = data.length;
  const input = inputText(states, numQubits);
  const shown = (outputs: Columns) => {
    const output = superposition(outputs, states);
    return isPhaseAlone ? output : withoutPhase(output);
  };
  const [target, found] = [shown(columns), shown(worst.columns)];
  const wantedText = stateText(target);
  const foundText = worst.others === 1 ? stateText(found) : undefined;
  const measured = branches[0]!.operations.find(
    ({ kind, qubits }) => kind === "measure" && qubits.some(one => data.includes(one)),
  );
  const isProduct = outputDistance(worst, columns, { ...rules, othersEnd: "any" }) <= tolerance;
  const leftOver = isProduct ? "are not in |0⟩ at the end" : "are left entangled or not in |0⟩";
  const remarks = [
    isUnitary
      ? `For the input ${input} the output should be ${wantedText}${foundText ? `, and is ${foundText}` : ""}.`
      : `The state should be ${wantedText}${foundText && branches.length === 1 ? `, and is ${foundText}` : ""}.`,
    branches.length > 1 &&
      `It depends on what is measured: there are ${branches.length} ways in which it may end.`,
    measured &&
      `The program measures a qubit that is asked about${quoteLine(answer, measured.line)}, which destroys its superposition.`,
    isPhaseAlone && "Only the global phase differs, which matters here.",
    worst.others > 1 && leaks(worst) && `Qubits that only help ${leftOver}: undo what was done to them.`,
    order && `It would be right with the qubits in another order: ${orderText(order)}.`,
    !isPhaseAlone && `The fidelity is ${fidelity.toFixed(3)}, and should be 1.`,
  ];
  const caption = isUnitary ? `Output for the input ${input}` : "State";
  return { message: remarks.filter(Boolean).join(" "), view: outputsView(caption, target, found, worst) };
}

/** Whether other qubits are not in |0⟩ at the end for some input. */
const leaks = ({ columns, others }: SplitOutputs): boolean =>
  columns.some(column => squareOf(column.filter((_, i) => i % (2 * others) > 1)) > 1e-6);

const orderText = (order: readonly number[]) =>
  order
    .map((to, from) => `${from} → ${to}`)
    .filter((_, i) => order[i] !== i)
    .join(", ");

const NEGLIGIBLE = 1e-6;

/** Shows what an output should be beside what it is: probabilities as bars, phases as numbers. */
function outputsView(
  caption: string,
  wanted: Float64Array,
  found: Float64Array,
  { size, others }: SplitOutputs,
): RenderedView {
  const rows = Array.from({ length: size }, (_, data) => {
    const first = 2 * data * others;
    const name = `|${basisState(data, Math.log2(size))}⟩`;
    const [a, b, x, y] = [...wanted.subarray(2 * data, 2 * data + 2), ...found.subarray(first, first + 2)];
    const rest = squareOf(found.subarray(first + 2, first + 2 * others));
    return [
      { name, wanted: cellOf(a!, b!), found: cellOf(x!, y!), difference: (a! - x!) ** 2 + (b! - y!) ** 2 },
      {
        name: `${name}, other qubits not |0⟩`,
        ...{ wanted: shareCell(0), found: shareCell(rest), difference: rest },
      },
    ];
  }).flat();
  const shown = rows
    .filter(row => row.wanted.share > NEGLIGIBLE || row.found.share > NEGLIGIBLE)
    .sort((a, b) => b.difference - a.difference);
  const judged = shown.map(row => ({ ...row, isRight: row.difference <= 1e-3 }));
  return comparisonTable(caption, "State", judged);
}

function cellOf(re: number, im: number) {
  const cell = shareCell(re * re + im * im);
  if (cell.share <= NEGLIGIBLE) return cell;
  return { ...cell, label: `${cell.label}, phase ${formatPhase(Math.atan2(im, re))}` };
}

/** Turns a state so that its first amplitude is positive. */
function withoutPhase(amplitudes: Float64Array): Float64Array {
  for (let first = 0; first < amplitudes.length; first += 2) {
    const [x, y] = [amplitudes[first]!, amplitudes[first + 1]!];
    const size = Math.hypot(x, y);
    if (size > 1e-6)
      return amplitudes.map((part, i) =>
        i % 2 === 0 ? (part * x + amplitudes[i + 1]! * y) / size : (part * x - amplitudes[i - 1]! * y) / size,
      );
  }
  return amplitudes;
}

function inputText(states: readonly number[], numQubits: number): string {
  const amplitudes = new Float64Array(2 ** (numQubits + 1));
  for (const state of states) amplitudes[2 * state] = 1 / Math.sqrt(states.length);
  return stateText(amplitudes);
}
