import { basisState, formatPhase } from "../../charts/index.ts";
import {
  type Cell,
  code,
  formatPercent,
  meter,
  type RenderedView,
  series,
  table,
} from "../../display/index.ts";
import { executeBranches, type FinalBranch } from "../../simulation/index.ts";
import { stateText } from "../programs/operation-text.ts";
import {
  type Columns,
  type ComparisonRules,
  orders,
  outputDistance,
  reordered,
  type SplitOutputs,
  splitOutputs,
  superposition,
  tellingInput,
} from "./compare-outputs.ts";
import {
  type CheckedProgram,
  type CheckRecipe,
  type ExerciseCheck,
  programCheck,
  quoteLine,
  type ShownFinding,
} from "./exercise-check.ts";
import { type QubitSelection, selectQubits } from "./select-qubits.ts";

/** Options for comparing states or unitaries. */
export interface OutputCheckOptions extends QubitSelection {
  /**
   * State in which ancillas, and with `qubits` all others, must end: `"zero"`, or `"any"` state that has nothing to do with the
   * qubits that are asked about. Default: `"zero"`; with `qubits` `"any"`.
   */
  othersEnd?: "zero" | "any";
  /** Whether a phase of the whole state matters, as it does where the program is to be controlled. Default: `"ignored"`. */
  globalPhase?: "ignored" | "exact";
  /** Whether measurements at the end of the program are left out, or destroy the state as they do. Default: `"count"`. */
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

/** Makes a check that compares what a program makes of its inputs. @internal */
export function outputCheck(
  wanted: WantedOutputs,
  options: OutputCheckOptions,
  recipe: CheckRecipe,
): ExerciseCheck {
  return programCheck(wanted.title, answer => compareOutputs(answer, wanted, options), recipe);
}

function compareOutputs(
  answer: CheckedProgram,
  wanted: WantedOutputs,
  options: OutputCheckOptions,
): Omit<ShownFinding, "title"> {
  const { tolerance = 1e-4, globalPhase = "ignored", othersEnd = options.qubits ? "any" : "zero" } = options;
  const { circuit } = answer;
  const count = Math.log2(wanted.columns[0]!.length / 2);
  const selected = selectQubits(circuit, count, options);
  if ("problem" in selected) return { passed: false, message: selected.problem };
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
    return {
      passed: false,
      message: `The program uses more than the ${count} qubit${count === 1 ? "" : "s"} that ${count === 1 ? "is" : "are"} asked for${quoteLine(answer, touched.line)}.`,
    };
  const outputs = branches.map(({ amplitudes }) => splitOutputs(amplitudes, circuit.numQubits, data));
  const distance = (columns: Columns) => Math.max(...outputs.map(one => outputDistance(one, columns, rules)));
  if (distance(wanted.columns) <= tolerance) return { passed: true, message: passedText(wanted) };
  const isNear = (order: readonly number[], movesInputs: boolean) =>
    distance(reordered(wanted.columns, order, movesInputs)) <= tolerance;
  const others = count <= MAX_PERMUTED ? orders(count).slice(1) : [];
  const movesInputs = wanted.isUnitary && wanted.order !== "any-output";
  const order = others.find(one => isNear(one, movesInputs));
  if (order && wanted.order !== "exact") return { passed: true, message: passedText(wanted) };
  return { passed: false, ...explain(answer, wanted, { outputs, branches, rules, order, data, tolerance }) };
}

const passedText = ({ isUnitary }: WantedOutputs) =>
  isUnitary ? "It does what is asked for to every input." : "It prepares the state that is asked for.";

interface Comparison {
  readonly outputs: readonly SplitOutputs[];
  readonly branches: readonly FinalBranch[];
  readonly rules: ComparisonRules;
  readonly order: readonly number[] | undefined;
  readonly data: readonly number[];
  readonly tolerance: number;
}

function explain(
  answer: CheckedProgram,
  { columns, isUnitary }: WantedOutputs,
  { outputs, branches, rules, order, data, tolerance }: Comparison,
): Pick<ShownFinding, "message" | "view"> {
  const worst = outputs.reduce((a, b) =>
    outputDistance(b, columns, rules) > outputDistance(a, columns, rules) ? b : a,
  );
  const { states, fidelity } = tellingInput(worst, columns, rules);
  const found = superposition(worst.columns, states);
  const target = superposition(columns, states);
  const isPhaseAlone =
    rules.globalPhase === "exact" &&
    outputDistance(worst, columns, { ...rules, globalPhase: "ignored" }) <= tolerance;
  const numQubits = data.length;
  const input = inputText(states, numQubits);
  const wantedText = stateText(isPhaseAlone ? target : withoutPhase(target));
  const foundText = worst.others === 1 ? stateText(isPhaseAlone ? found : withoutPhase(found)) : undefined;
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
    isPhaseAlone && "Only the phase of the whole is another, which matters here.",
    worst.others > 1 && leaks(worst) && `Qubits that only help ${leftOver}: undo what was done to them.`,
    order && `It would be right with the qubits in another order: ${orderText(order)}.`,
    !isPhaseAlone && `The fidelity is ${fidelity.toFixed(3)}, and should be 1.`,
  ];
  const view = outputsView({
    wanted: isPhaseAlone ? target : withoutPhase(target),
    found: isPhaseAlone ? found : withoutPhase(found),
    split: worst,
    caption: isUnitary ? `Output for the input ${input}` : "State",
  });
  return { message: remarks.filter(Boolean).join(" "), view };
}

/** Whether other qubits are not in |0⟩ at the end for some input. */
const leaks = ({ columns, size, others }: SplitOutputs): boolean =>
  columns.some(column => {
    let inZero = 0;
    for (let data = 0; data < size; data++)
      inZero += column[2 * data * others]! ** 2 + column[2 * data * others + 1]! ** 2;
    return inZero < 1 - 1e-6;
  });

const orderText = (order: readonly number[]) =>
  order
    .map((to, from) => `${from} → ${to}`)
    .filter((_, i) => order[i] !== i)
    .join(", ");

const MAX_ROWS = 16;
const NEGLIGIBLE = 1e-6;

interface Row {
  readonly label: string;
  readonly wanted: Part;
  readonly found: Part;
}

interface Part {
  readonly probability: number;
  /** In radians; null where it has no meaning. */
  readonly phase: number | null;
}

interface ComparedOutputs {
  readonly wanted: Float64Array;
  /** Amplitudes at `2 · (data · others + other)`. */
  readonly found: Float64Array;
  readonly split: Pick<SplitOutputs, "size" | "others">;
  readonly caption: string;
}

/** Shows what an output should be beside what it is: probabilities as bars, phases as numbers. @internal */
function outputsView({ wanted, found, split, caption }: ComparedOutputs): RenderedView {
  const { size, others } = split;
  const numQubits = Math.log2(size);
  const rows = Array.from({ length: size }, (_, data) => {
    const first = 2 * data * others;
    const one = partOf(found[first]!, found[first + 1]!);
    let rest = 0;
    for (let i = first + 2; i < first + 2 * others; i++) rest += found[i]! ** 2;
    return [
      {
        label: `|${basisState(data, numQubits)}⟩`,
        wanted: partOf(wanted[2 * data]!, wanted[2 * data + 1]!),
        found: one,
      },
      {
        label: `|${basisState(data, numQubits)}⟩, other qubits not |0⟩`,
        wanted: { probability: 0, phase: null },
        found: { probability: rest, phase: null },
      },
    ];
  })
    .flat()
    .filter(row => row.wanted.probability > NEGLIGIBLE || row.found.probability > NEGLIGIBLE);
  return table<Row>({
    caption,
    noun: "states",
    rows: rows.toSorted((a, b) => differenceOf(b) - differenceOf(a)),
    limit: MAX_ROWS,
    columns: [
      { label: "State", value: ({ label }) => code(label) },
      { label: "Expected", value: row => partCell(row.wanted, series[0]) },
      { label: "Yours", value: row => partCell(row.found, series[1]) },
      { label: "", value: row => (differenceOf(row) > 1e-3 ? "✗" : "✓") },
    ],
  });
}

const partOf = (re: number, im: number): Part => {
  const probability = re * re + im * im;
  return { probability, phase: probability > NEGLIGIBLE ? Math.atan2(im, re) : null };
};

function differenceOf({ wanted, found }: Row): number {
  const turn = wanted.phase !== null && found.phase !== null ? wanted.phase - found.phase : 0;
  const overlap = 2 * Math.sqrt(wanted.probability * found.probability) * Math.cos(turn);
  return Math.max(0, wanted.probability + found.probability - overlap);
}

const partCell = ({ probability, phase }: Part, color: string): Cell =>
  meter(probability, {
    label: `${formatPercent(probability)}${phase === null ? "" : `, phase ${formatPhase(phase)}`}`,
    color,
  });

/** Turns a state so that its first amplitude is positive. @internal */
function withoutPhase(amplitudes: Float64Array): Float64Array {
  const first = amplitudes.findIndex((_, i) =>
    i % 2 === 0 ? Math.hypot(amplitudes[i]!, amplitudes[i + 1]!) > 1e-6 : false,
  );
  if (first < 0) return amplitudes;
  const size = Math.hypot(amplitudes[first]!, amplitudes[first + 1]!);
  const [c, s] = [amplitudes[first]! / size, -amplitudes[first + 1]! / size];
  return amplitudes.map((_, i) => {
    const at = i - (i % 2);
    const [re, im] = [amplitudes[at]!, amplitudes[at + 1]!];
    return i % 2 === 0 ? re * c - im * s : re * s + im * c;
  });
}

/** Writes equally superposed basis states. @internal */
function inputText(states: readonly number[], numQubits: number): string {
  const amplitudes = new Float64Array(2 ** (numQubits + 1));
  for (const state of states) amplitudes[2 * state] = 1 / Math.sqrt(states.length);
  return stateText(amplitudes);
}
