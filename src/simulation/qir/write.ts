import type { Circuit } from "../circuit/circuit.ts";
import type { Gate, MatrixGate } from "../circuit/gate.ts";
import type { Matrix2 } from "../circuit/matrix.ts";
import { adjoint2, matrix2, power2 } from "../circuit/matrix.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import { eulerAngles, type Primitive, visitPrimitives } from "../circuit/primitives.ts";
import { STDGATES } from "../circuit/standard.ts";
import { SimulationError } from "../errors.ts";

const MOST_OPERATIONS = 1_000_000;
const MOST_CONTROLS = 6;
const DIRECT: Readonly<Record<string, string>> = {
  ...{ h: "h__body", x: "x__body", y: "y__body", z: "z__body", s: "s__body", sdg: "s__adj", t: "t__body" },
  ...{ tdg: "t__adj", rx: "rx__body", ry: "ry__body", rz: "rz__body", cx: "cnot__body", CX: "cnot__body" },
  ...{ cz: "cz__body", swap: "swap__body", ccx: "ccx__body" },
};
const X = matrix2(0, 0, 1, 0, 1, 0, 0, 0);

/**
 * Writes a circuit as QIR in text form (`.ll`): the base profile where every measurement ends its qubit, and else the
 * adaptive one. Gates that QIR does not have are taken apart; a phase of the whole state is left out.
 * Throws a {@link SimulationError} where the course of the program depends on measured values.
 */
export function toQir(circuit: Circuit): string {
  const { parts } = circuit;
  if (
    parts.instructions.some(
      ({ kind, ...rest }, i) =>
        !["operations", "end"].includes(kind) && (rest as { target?: number }).target !== i + 1,
    )
  )
    throw new SimulationError(
      "The program computes with classical values while it runs; QIR is written of gates, measurements and resets alone.",
    );
  const writer = new QirWriter();
  const { kinds, gates, operands, operandStarts, params, paramStarts } = parts.operations;
  const recorded = new Map<number, number>();
  for (const { offset, width } of parts.classical)
    for (let i = 0; i < width; i++) recorded.set(offset + i, recorded.size);
  let numResults = recorded.size;
  for (const instruction of parts.instructions) {
    if (instruction.kind !== "operations") continue;
    for (let i = instruction.start; i < instruction.end; i++) {
      const places = Array.from(operands.subarray(operandStarts[i]!, operandStarts[i + 1]!));
      if (kinds[i] === OPERATION.gate) {
        const given = Array.from(params.subarray(paramStarts[i]!, paramStarts[i + 1]!));
        visitPrimitives(parts.gates[gates[i]!]!, given, places, primitive => writer.primitive(primitive));
      } else if (kinds[i] === OPERATION.reset) writer.reset(places[0]!);
      else if (kinds[i] === OPERATION.measure) {
        const known = places[1] === NO_BIT ? undefined : recorded.get(places[1]!);
        writer.measure(places[0]!, known ?? numResults++);
      }
    }
  }
  const registers = parts.classical.map(({ offset, width }) =>
    Array.from({ length: width }, (_, i) => recorded.get(offset + i)!),
  );
  return writer.finish(circuit.numQubits, numResults, registers.flat());
}

class QirWriter {
  readonly #lines: string[] = [];
  readonly #used = new Set<string>();
  readonly #measured = new Set<number>();
  #isAdaptive = false;

  primitive({ gate, params, qubits }: Primitive): void {
    for (const qubit of qubits) if (this.#measured.has(qubit)) this.#isAdaptive = true;
    const name = STDGATES.includes(gate) ? DIRECT[gate.name] : undefined;
    if (name) {
      this.#call(name, params, qubits);
      return;
    }
    const negative = gate.controls.flatMap((polarity, i) => (polarity ? [] : [qubits[i]!]));
    for (const qubit of negative) this.#call("x__body", [], [qubit]);
    this.#controlled(gate, params, qubits);
    for (const qubit of negative) this.#call("x__body", [], [qubit]);
  }

  measure(qubit: number, result: number): void {
    if (this.#measured.has(qubit)) this.#isAdaptive = true;
    this.#measured.add(qubit);
    this.#note("mz__body", "%Qubit*, %Result*");
    this.#lines.push(
      `  call void @__quantum__qis__mz__body(${pointer("Qubit", qubit)}, ${pointer("Result", result)})`,
    );
  }

  reset(qubit: number): void {
    this.#isAdaptive = true;
    this.#call("reset__body", [], [qubit]);
  }

  finish(numQubits: number, numResults: number, order: readonly number[]): string {
    const records = order.map(
      result => `  call void @__quantum__rt__result_record_output(${pointer("Result", result)}, i8* null)`,
    );
    const profile = this.#isAdaptive ? "adaptive_profile" : "base_profile";
    return `${[
      "%Result = type opaque",
      "%Qubit = type opaque",
      "",
      "define void @main() #0 {",
      "entry:",
      ...this.#lines,
      `  call void @__quantum__rt__array_record_output(i64 ${order.length}, i8* null)`,
      ...records,
      "  ret void",
      "}",
      "",
      ...[...this.#used].sort().map(signature => `declare void @__quantum__qis__${signature}`),
      "declare void @__quantum__rt__array_record_output(i64, i8*)",
      "declare void @__quantum__rt__result_record_output(%Result*, i8*)",
      "",
      `attributes #0 = { "entry_point" "output_labeling_schema" "qir_profiles"="${profile}" "required_num_qubits"="${numQubits}" "required_num_results"="${numResults}" }`,
      "",
      "!llvm.module.flags = !{!0, !1, !2, !3}",
      '!0 = !{i32 1, !"qir_major_version", i32 1}',
      '!1 = !{i32 7, !"qir_minor_version", i32 0}',
      '!2 = !{i32 1, !"dynamic_qubit_management", i1 false}',
      '!3 = !{i32 1, !"dynamic_result_management", i1 false}',
    ].join("\n")}\n`;
  }

  #note(name: string, types: string): void {
    this.#used.add(`${name}(${types})`);
    if (this.#lines.length > MOST_OPERATIONS)
      throw new SimulationError(
        `The program comes to more than ${MOST_OPERATIONS.toLocaleString("en-US")} calls, too many to write out.`,
      );
  }

  #call(name: string, params: readonly number[], qubits: readonly number[]): void {
    this.#note(name, [...params.map(() => "double"), ...qubits.map(() => "%Qubit*")].join(", "));
    const args = [
      ...params.map(value => `double ${double(value)}`),
      ...qubits.map(qubit => pointer("Qubit", qubit)),
    ];
    this.#lines.push(`  call void @__quantum__qis__${name}(${args.join(", ")})`);
  }

  #controlled(
    gate: Exclude<Gate, { kind: "composite" }>,
    params: readonly number[],
    qubits: readonly number[],
  ): void {
    const count = gate.controls.length;
    if (count > MOST_CONTROLS)
      throw new SimulationError(
        `A gate with more than ${MOST_CONTROLS} controls is not taken apart into QIR's gates.`,
      );
    if (gate.kind === "swap") {
      const [a, b] = qubits.slice(count) as [number, number];
      this.#call("cnot__body", [], [b, a]);
      this.#unitary(X, [...qubits.slice(0, count), a], b);
      this.#call("cnot__body", [], [b, a]);
      return;
    }
    if (gate.kind === "phase") {
      const angle = gate.scale * params[0]!;
      if (count > 0) this.#unitary(phase(angle), qubits.slice(0, count - 1), qubits[count - 1]!);
      return;
    }
    this.#unitary((gate as MatrixGate).matrix(params, 0), qubits.slice(0, count), qubits[count]!);
  }

  /** Writes a one-qubit unitary with controls, each of which it takes apart into roots with one fewer. */
  #unitary(m: Matrix2, controls: readonly number[], target: number): void {
    const isX = m.every((part, i) => Math.abs(part - X[i]!) < 1e-15);
    if (isX && controls.length <= 2) {
      this.#call(["x__body", "cnot__body", "ccx__body"][controls.length]!, [], [...controls, target]);
      return;
    }
    const last = controls.at(-1);
    if (last === undefined) {
      const { theta, phi, lambda } = eulerAngles(m);
      this.#turn("rz__body", lambda, target);
      this.#turn("ry__body", theta, target);
      this.#turn("rz__body", phi, target);
      return;
    }
    if (controls.length === 1) {
      const { theta, phi, lambda, gamma } = eulerAngles(m);
      this.#turn("rz__body", (lambda - phi) / 2, target);
      this.#call("cnot__body", [], [last, target]);
      this.#turn("rz__body", -(phi + lambda) / 2, target);
      this.#turn("ry__body", -theta / 2, target);
      this.#call("cnot__body", [], [last, target]);
      this.#turn("ry__body", theta / 2, target);
      this.#turn("rz__body", phi, target);
      this.#turn("rz__body", gamma + (phi + lambda) / 2, last);
      return;
    }
    const rest = controls.slice(0, -1);
    const root = power2(m, 0.5);
    this.#unitary(root, [last], target);
    this.#unitary(X, rest, last);
    this.#unitary(adjoint2(root), [last], target);
    this.#unitary(X, rest, last);
    this.#unitary(root, rest, target);
  }

  #turn(name: string, angle: number, qubit: number): void {
    if (Math.abs(angle) > 1e-15) this.#call(name, [angle], [qubit]);
  }
}

const phase = (angle: number): Matrix2 => matrix2(1, 0, 0, 0, 0, 0, Math.cos(angle), Math.sin(angle));

const pointer = (type: string, place: number): string =>
  place === 0 ? `%${type}* null` : `%${type}* inttoptr (i64 ${place} to %${type}*)`;

/** Writes a real number so that LLVM reads back the same one. */
function double(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return value.toFixed(1);
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return `0x${view.getBigUint64(0).toString(16).toUpperCase().padStart(16, "0")}`;
}
