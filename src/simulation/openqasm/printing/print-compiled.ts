import type { Circuit, CircuitParts } from "../../circuit/circuit.ts";
import { NO_BIT, OPERATION } from "../../circuit/operations.ts";
import { eulerAngles, type Primitive, visitPrimitives } from "../../circuit/primitives.ts";
import { STDGATES } from "../../circuit/standard.ts";
import type { InputValue } from "../expressions/inputs.ts";
import type { StatementNode } from "../syntax/ast.ts";
import { KEYWORDS_3 } from "../syntax/keywords.ts";
import { parse } from "../syntax/parse.ts";
import { printFloat } from "./expression-printer.ts";
import { print } from "./printer.ts";

/** What a compiled program says in its comments. */
export interface CompiledNotes {
  /** The method that simulates it, such as `statevector`. */
  method: string;
  /** Why that method was chosen. */
  reason?: string;
}

/** Most operations that are written out; a larger program is said to be one. */
const MOST_OPERATIONS = 1_000_000;

/**
 * Gives a compiled program as OpenQASM 3, with method, depth and gate counts in comments. What is known before the
 * run is written out: subroutines and definitions inlined, expressions computed, gates taken apart into those that the
 * simulator applies. A program whose course depends on measured values keeps its statements.
 * Compiled again, the text gives the same state.
 */
export function printCompiled(circuit: Circuit, { method, reason }: CompiledNotes): string {
  const { parts } = circuit;
  const counts = Object.entries(circuit.gateCounts()).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const size = `${counted(circuit.numQubits, "qubit")}, ${counted(circuit.numClbits, "bit")}`;
  const notes = [
    `Method: ${method}${reason ? ` (${reason})` : ""}`,
    `${size}, depth ${circuit.depth()}, ${counted(total, "operation")}`,
    ...(counts.length > 0 ? [counts.map(([name, count]) => `${name} ${count}`).join(", ")] : []),
    ...parts.notes,
  ].map(note => `// ${note.replace(/[\p{Cc}\u2028\u2029]/gu, " ")}\n`);
  const isFixed = parts.instructions.every(
    (instruction, i) =>
      instruction.kind === "operations" ||
      (instruction.kind === "jump" && instruction.target === i + 1) ||
      (instruction.kind === "end" && i === parts.instructions.length - 1),
  );
  const body = isFixed || !parts.source ? fixedText(parts) : statementsText(parts.source);
  return `OPENQASM 3.0;\n${notes.join("")}${body}`;
}

const counted = (count: number, thing: string) =>
  `${count.toLocaleString("en-US")} ${thing}${count === 1 ? "" : "s"}`;

function fixedText(parts: CircuitParts): string {
  const lines = ['include "stdgates.inc";'];
  const names = freeNames([...parts.quantum, ...parts.classical].map(({ name }) => name));
  const qubits: string[] = [];
  const bits = new Map<number, string>();
  parts.quantum.forEach(({ name, size, offset }, i) => {
    const own = names[i]!;
    if (name !== "$") lines.push(`qubit[${size}] ${own};`);
    for (let k = 0; k < size; k++) qubits[offset + k] = name === "$" ? `$${k}` : `${own}[${k}]`;
  });
  parts.classical.forEach(({ offset, width }, i) => {
    const own = names[parts.quantum.length + i]!;
    lines.push(`bit[${width}] ${own};`);
    for (let k = 0; k < width; k++) bits.set(offset + k, `${own}[${k}]`);
  });
  const { kinds, gates, operands, operandStarts, params, paramStarts } = parts.operations;
  let written = 0;
  for (const instruction of parts.instructions) {
    if (instruction.kind !== "operations") continue;
    for (let i = instruction.start; i < instruction.end; i++) {
      const [from, to] = [operandStarts[i]!, operandStarts[i + 1]!];
      const places = Array.from(operands.subarray(from, to));
      const on = places.map(place => qubits[place]!);
      if (++written > MOST_OPERATIONS)
        return `${lines.join("\n")}\n// … and more operations than are written out.\n`;
      switch (kinds[i]) {
        case OPERATION.gate: {
          const given = Array.from(params.subarray(paramStarts[i]!, paramStarts[i + 1]!));
          visitPrimitives(parts.gates[gates[i]!]!, given, places, primitive => {
            lines.push(...primitiveLines(primitive, qubits));
          });
          break;
        }
        case OPERATION.measure: {
          const target = places[1] === NO_BIT ? undefined : bits.get(places[1]!);
          lines.push(`${target ? `${target} = ` : ""}measure ${on[0]};`);
          break;
        }
        case OPERATION.reset:
          lines.push(`reset ${on[0]};`);
          break;
        case OPERATION.barrier:
          lines.push(`barrier ${on.join(", ")};`);
      }
    }
  }
  return `${lines.join("\n")}\n`;
}

/** Writes a gate of one step by its name where the library has it, and else by its matrix. */
function primitiveLines({ gate, params, qubits }: Primitive, names: readonly string[]): string[] {
  const on = qubits.map(qubit => names[qubit]!);
  if (STDGATES.includes(gate)) return [`${gate.name}${listOf(params)} ${on.join(", ")};`];
  const controls = modifiersOf(gate.controls);
  const phase = (angle: number) => {
    if (Math.abs(Math.sin(angle / 2)) < 1e-15) return [];
    return [
      `${controls}gphase${listOf([angle])}${on.length > 0 ? ` ${on.slice(0, gate.controls.length).join(", ")}` : ""};`,
    ];
  };
  if (gate.kind === "phase") return phase(gate.scale * params[0]!);
  if (gate.kind === "swap") return [`${controls}swap ${on.join(", ")};`];
  const { theta, phi, lambda, gamma } = eulerAngles(gate.matrix(params, 0));
  return [`${controls}U${listOf([theta, phi, lambda])} ${on.join(", ")};`, ...phase(gamma - theta / 2)];
}

function modifiersOf(controls: readonly boolean[]): string {
  return controls.map(polarity => (polarity ? "ctrl @ " : "negctrl @ ")).join("");
}

const listOf = (params: readonly number[]): string =>
  params.length > 0 ? `(${params.map(printFloat).join(", ")})` : "";

/** Gives names that are neither words of the language nor those of gates, each of them once. */
function freeNames(names: readonly string[]): string[] {
  const taken = new Set<string>([...KEYWORDS_3, ...STDGATES.map(({ name }) => name), "U", "gphase"]);
  return names.map(name => {
    let free = name;
    while (taken.has(free)) free += "_";
    taken.add(free);
    return free;
  });
}

/** Writes the statements of a program as OpenQASM 3, inputs with their values. */
function statementsText({ format, data, inputs }: NonNullable<CircuitParts["source"]>): string {
  const { statements } = parse({ format, data });
  const isVersion2 = format === "qasm2";
  const bound = statements.map(node => boundInput(node, inputs));
  const rename = (name: string) => (isVersion2 && KEYWORDS_3.has(name) ? `${name}_` : name);
  const cx = isVersion2 ? "gate CX a, b { ctrl @ gphase(-pi / 2) a; ctrl @ U(pi, 0, pi) a, b; }\n" : "";
  return cx + print({ version: null, statements: bound }, { rename });
}

function boundInput(node: StatementNode, inputs: Readonly<Record<string, unknown>>): StatementNode {
  if (node.kind !== "classical" || node.modifier !== "input") return node;
  const given = inputs[node.name.name] as InputValue;
  const isBits = node.type.name === "bit";
  const text = literalOf(given, isBits && node.type.width !== null);
  const [declared] = parse({ format: "qasm3", data: `bool x = ${text};` }).statements as [
    StatementNode & { kind: "classical" },
  ];
  return { ...node, value: declared.value, modifier: isBits || node.type.array ? null : "const" };
}

function literalOf(given: InputValue, isBits: boolean): string {
  if (Array.isArray(given)) return `{${given.map(item => literalOf(item, isBits)).join(", ")}}`;
  if (isBits && typeof given === "string") return `"${given}"`;
  return typeof given === "string" ? `(${given})` : String(given);
}
