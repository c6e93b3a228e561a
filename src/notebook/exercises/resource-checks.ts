import { KetbookError } from "../../client/index.ts";
import { code, formatNumber, numbers, table } from "../../display/index.ts";
import {
  type BranchOperation,
  executeBranches,
  type Gate,
  gateNameProblem,
  libraryGateOf,
  MAX_BRANCH_QUBITS,
  ruleName,
  twoQubitGatesOf,
  visitCalls,
} from "../../simulation/index.ts";
import {
  type CheckedProgram,
  type ExerciseCheck,
  lineText,
  programCheck,
  quoteLine,
} from "./exercise-check.ts";
import { namedQubits } from "./select-qubits.ts";

/**
 * Limits of a program, in the branch that takes the most. Loops count as often as they run, and gates that the
 * program defines as what they are made of.
 */
export interface ResourceLimits {
  /** Gates on two qubits; one on three or more counts as the two-qubit gates that it comes to, a Toffoli as 6. */
  twoQubitGates?: number;
  /** Gates in all, but for identities and global phases. */
  gates?: number;
  /** Length of the longest chain of gates that share a qubit; measurements are not counted. */
  depth?: number;
  /** T gates and their inverses. */
  tGates?: number;
  /** Qubits that operations act on. */
  qubits?: number;
}

const nouns: { readonly [Name in keyof ResourceCounts]: string } = {
  twoQubitGates: "two-qubit gates",
  gates: "gates",
  depth: "layers of gates",
  tGates: "T gates",
  qubits: "qubits",
};

export function resourceCheck(limits: ResourceLimits): ExerciseCheck {
  const names = Object.keys(limits ?? {}) as (keyof ResourceCounts)[];
  const wrong = names.find(name => !Object.hasOwn(nouns, name) || !(Number(limits[name]) >= 0));
  if (names.length === 0 || wrong)
    throw new KetbookError(
      `checks.resources: ${wrong ? `${JSON.stringify(wrong)} is not a limit` : "no limit is given"}. Use numbers such as { twoQubitGates: 3, depth: 5 }, of ${Object.keys(nouns).join(", ")}.`,
    );
  return programCheck("Resources", answer => {
    const branches = executedBranches(answer);
    const counts = countResources(branches);
    const over = names.filter(name => counts[name] > limits[name]!);
    const view = table<keyof ResourceCounts>({
      rows: names,
      columns: [
        { label: "Resource", value: name => nouns[name] },
        numbers("Allowed", name => formatNumber(limits[name]!)),
        numbers("Yours", name => formatNumber(counts[name])),
        { label: "", value: name => (over.includes(name) ? "✗" : "✓") },
      ],
    });
    if (over.length === 0) return { passed: true, message: "It takes no more than is allowed." };
    const list = over.map(
      name => `${formatNumber(counts[name])} ${nouns[name]}, and ${limits[name]} are allowed`,
    );
    const large = branches.flatMap(({ gates }) => gates).find(({ qubits }) => qubits.length > 2);
    const dearest = large
      ? ` ${large.name} acts on ${large.qubits.length} qubits, and counts as ${twoQubitGatesIn(large)} two-qubit gates${quoteLine(answer, large.line)}.`
      : "";
    return { message: `It takes ${list.join("; ")}.${dearest}`, view };
  });
}

/** Gates that a program may, must and must not use, by their library names, and `measure` and `reset`. */
export interface GateRules {
  /** The gates that it may have; no others. Default: all. */
  allowed?: readonly string[];
  /** The operations that it must not have. Default: none. */
  forbidden?: readonly string[];
  /** The operations that it must have. Default: none. */
  required?: readonly string[];
  /**
   * Qubits, such as `["q[0]", "q[3]"]`, that share no past: no chain of gates connects them, or both to a third qubit. Only
   * measured bits may, as in entanglement swapping. Default: none.
   */
  apart?: readonly string[];
}

export function gateCheck(rules: GateRules): ExerciseCheck {
  const { allowed, forbidden = [], required = [], apart = [] } = rules;
  for (const [name, list] of Object.entries(rules))
    if (
      !["allowed", "forbidden", "required", "apart"].includes(name) ||
      !Array.isArray(list) ||
      !list.every(one => typeof one === "string")
    )
      throw new KetbookError(
        `checks.gates: ${name} must be one of allowed, forbidden, required and apart, with a list such as ["h", "cx"].`,
      );
  for (const name of [...(allowed ?? []), ...forbidden, ...required]) {
    const problem = gateNameProblem(plainName(name));
    if (problem) throw new KetbookError(`checks.gates: ${problem}`);
  }
  return programCheck("Gates", answer => {
    const branches = executedBranches(answer);
    const used = branches.flatMap(({ gates, operations }) => [
      ...gates.map(({ name, line }) => ({ name, line, isGate: name !== "gphase" })),
      ...operations.flatMap(({ kind, line }) =>
        kind === "gate" ? [] : [{ name: kind, line, isGate: false }],
      ),
    ]);
    const isWrong = ({ name, isGate }: (typeof used)[0]) =>
      (isGate && allowed && !allowed.some(one => isSameGate(one, name))) ||
      forbidden.some(one => isSameGate(one, name));
    const wrong = [...new Map(used.filter(isWrong).map(one => [`${one.name} ${one.line}`, one])).values()];
    const missing = required.filter(name => !used.some(one => isSameGate(name, one.name)));
    const connected = connection(answer, branches, apart);
    if (wrong.length === 0 && missing.length === 0 && !connected)
      return { passed: true, message: "It has the gates that it may have." };
    const [first] = wrong;
    const mayHave = allowed ? ` Allowed are ${allowed.join(", ")}.` : "";
    return {
      message: [
        first && `${first.name} is not allowed${quoteLine(answer, first.line)}.${mayHave}`,
        missing.length > 0 && `It has no ${missing.join(" and no ")}, which is to be used.`,
        connected,
      ]
        .filter(Boolean)
        .join(" "),
      view:
        first &&
        table({
          rows: wrong,
          noun: "operations",
          limit: 10,
          columns: [
            { label: "Not allowed", value: ({ name }) => code(name) },
            { label: "Line", align: "right", value: ({ line }) => (line === null ? "" : formatNumber(line)) },
            { label: "Text", value: ({ line }) => code(lineText(answer, line)) },
          ],
        }),
    };
  });
}

/** Says which qubits share a past that should not; undefined if none do. */
function connection(
  answer: CheckedProgram,
  branches: readonly ExecutedBranch[],
  apart: readonly string[],
): string | undefined {
  const named = apart.map(name => ({ name, qubits: namedQubits(answer.circuit, name) ?? [] }));
  const unknown = named.find(({ qubits }) => qubits.length === 0);
  if (unknown) return `The program has no ${unknown.name}, which is asked about.`;
  for (const { gates } of branches) {
    const pasts = Array.from({ length: answer.circuit.numQubits }, (_, qubit) => new Set([qubit]));
    for (const { qubits, line } of gates) {
      const past = new Set(qubits.flatMap(qubit => [...pasts[qubit]!]));
      for (const qubit of qubits) pasts[qubit] = past;
      const reached = named.map(one => new Set(one.qubits.flatMap(qubit => [...pasts[qubit]!])));
      const at = reached.findIndex((one, i) => reached.slice(0, i).some(other => !one.isDisjointFrom(other)));
      if (at >= 0)
        return `Gates connect ${apart.join(" and ")}${quoteLine(answer, line)}. They must never meet, directly or by other qubits: only measured bits may connect them.`;
    }
  }
  return undefined;
}

/** Returns the one name of a gate that has several, of `ctrl @ x` too. */
const plainName = (name: string) =>
  ruleName(name.replace(/^(ctrl @ )+/, controls => "c".repeat(controls.length / 7))).replace(
    /^(?:u3|U)$/,
    "u",
  );

const isSameGate = (a: string, b: string): boolean => plainName(a) === plainName(b);

/** A gate as it is executed: of the library, or of one step where the program defines it. */
interface ExecutedGate {
  readonly name: string;
  readonly gate: Gate;
  readonly qubits: readonly number[];
  readonly line: number | null;
}

type ExecutedBranch = ReturnType<typeof executedBranches>[number];

/** Executes all branches of a program, and takes its own gates apart, so no definition or loop hides any. */
const executedBranches = ({ circuit }: CheckedProgram) =>
  executeBranches(circuit, {
    hasState: circuit.numQubits <= MAX_BRANCH_QUBITS,
    ignoresFinalMeasurements: true,
  }).map(({ operations }) => ({ operations, gates: operations.flatMap(gatesOf) }));

function gatesOf({ gate, params, qubits, line }: BranchOperation): ExecutedGate[] {
  if (!gate) return [];
  const gates: ExecutedGate[] = [];
  visitCalls(gate, params, qubits, (call, values, on) => {
    const known = libraryGateOf(call, values);
    if (known === undefined && call.kind === "composite") return true;
    gates.push({ name: known ?? call.name, gate: call, qubits: on, line });
    return false;
  });
  return gates;
}

type ResourceCounts = Required<ResourceLimits>;

/** Counts what a program takes. A gate on three or more qubits counts as the two-qubit gates that it comes to. */
function countResources(branches: readonly ExecutedBranch[]): ResourceCounts {
  const counts = branches.map(({ gates, operations }) => {
    const acting = gates.filter(({ name, qubits }) => qubits.length > 0 && name !== "id");
    const depths = new Map<number, number>();
    for (const { qubits } of acting) {
      const depth = 1 + Math.max(...qubits.map(qubit => depths.get(qubit) ?? 0));
      for (const qubit of qubits) depths.set(qubit, depth);
    }
    return {
      twoQubitGates: acting.reduce((sum, one) => sum + twoQubitGatesIn(one), 0),
      gates: acting.length,
      depth: Math.max(0, ...depths.values()),
      tGates: acting.filter(({ name }) => name === "t" || name === "tdg").length,
      qubits: new Set(operations.flatMap(({ qubits }) => qubits)).size,
    };
  });
  const most = (name: keyof ResourceCounts) => Math.max(0, ...counts.map(one => one[name]));
  const names = Object.keys(nouns) as (keyof ResourceCounts)[];
  return Object.fromEntries(names.map(name => [name, most(name)])) as unknown as ResourceCounts;
}

const twoQubitGatesIn = ({ gate, qubits }: ExecutedGate): number =>
  twoQubitGatesOf(qubits.length, gate.kind === "swap");
