import type { Circuit, CircuitParts } from "../circuit/circuit.ts";
import { type Gate, sizeOf } from "../circuit/gate.ts";
import { visitPrimitives } from "../circuit/primitives.ts";
import { SimulationError } from "../errors.ts";
import { leadsBack, type SingleStep, type TraceBlock, visitSteps } from "../specialize/blocks.ts";
import { traceOf } from "../specialize/trace.ts";
import { writeGate } from "./gates.ts";

const MAX_LINES = 1_000_000;

/**
 * Writes a circuit as QIR in text form (`.ll`): the base profile where every measurement ends its qubit, and else the
 * adaptive one, in which choices by measured bits are branches. What is known before the run is computed: loops are
 * written out. Gates that QIR does not have are decomposed; a phase of the whole state is left out.
 * Throws a {@link SimulationError} where that comes to too many lines, or where a register ends with ones that were not measured.
 */
export function toQir(circuit: Circuit): string {
  return new QirWriter(circuit).text();
}

class QirWriter {
  readonly #circuit: Circuit;
  readonly #parts: CircuitParts;
  readonly #lines: string[] = [];
  readonly #used = new Set<string>();
  readonly #measured = new Set<number>();
  readonly #written = new Set<number>();
  /** The result of each bit: those of the registers first, in their order. */
  readonly #results = new Map<number, number>();
  readonly #registers: readonly number[];
  #numResults: number;
  #numReads = 0;
  #isAdaptive = false;

  constructor(circuit: Circuit) {
    this.#circuit = circuit;
    this.#parts = circuit.parts;
    this.#registers = circuit.parts.classical.flatMap(({ offset, width }) =>
      Array.from({ length: width }, (_, i) => offset + i),
    );
    for (const bit of this.#registers) this.#results.set(bit, this.#results.size);
    this.#numResults = this.#results.size;
  }

  text(): string {
    const blocks = traceOf(this.#parts);
    if (blocks.length > 1) this.#isAdaptive = true;
    blocks.forEach((block, i) => {
      this.#lines.push(`${i === 0 ? "entry" : label(i)}:`);
      for (const step of block.steps) visitSteps(step, this.#parts, single => this.#step(single));
      this.#next(block);
    });
    const profile = this.#isAdaptive ? "adaptive_profile" : "base_profile";
    const flags = [
      'i32 1, !"qir_major_version", i32 1',
      'i32 7, !"qir_minor_version", i32 0',
      'i32 1, !"dynamic_qubit_management", i1 false',
      'i32 1, !"dynamic_result_management", i1 false',
      ...(leadsBack(blocks) ? ['i32 7, !"backwards_branching", i2 -1'] : []),
    ];
    return `${[
      "%Result = type opaque",
      "%Qubit = type opaque",
      "",
      "define void @main() #0 {",
      ...this.#lines,
      "}",
      "",
      ...[...this.#used].sort().map(signature => `declare ${signature}`),
      "declare void @__quantum__rt__array_record_output(i64, i8*)",
      "declare void @__quantum__rt__result_record_output(%Result*, i8*)",
      "",
      `attributes #0 = { "entry_point" "output_labeling_schema" "qir_profiles"="${profile}" "required_num_qubits"="${this.#circuit.numQubits}" "required_num_results"="${this.#numResults}" }`,
      "",
      `!llvm.module.flags = !{${flags.map((_, i) => `!${i}`).join(", ")}}`,
      ...flags.map((flag, i) => `!${i} = !{${flag}}`),
    ].join("\n")}\n`;
  }

  #step(step: SingleStep): void {
    if (step.kind === "gate") this.#gate(step.gate, step.params, step.qubits);
    else if (step.kind === "measure") this.#measure(step.qubit, step.bit);
    else if (step.kind === "reset") this.#reset(step.qubit);
  }

  #gate(gate: Gate, params: readonly number[], qubits: readonly number[]): void {
    this.#checkRoom(sizeOf(gate));
    visitPrimitives(gate, params, qubits, primitive => {
      if (primitive.qubits.some(qubit => this.#measured.has(qubit))) this.#isAdaptive = true;
      writeGate(primitive, this.#call);
    });
  }

  #measure(qubit: number, bit: number | null): void {
    if (this.#measured.has(qubit)) this.#isAdaptive = true;
    this.#measured.add(qubit);
    if (bit !== null) this.#written.add(bit);
    this.#line("void @__quantum__qis__mz__body(%Qubit*, %Result*)", [
      pointer("Qubit", qubit),
      pointer("Result", bit === null ? this.#numResults++ : this.#resultOf(bit)),
    ]);
  }

  #reset(qubit: number): void {
    this.#isAdaptive = true;
    this.#call("reset__body", [], [qubit]);
  }

  #resultOf(bit: number): number {
    const known = this.#results.get(bit);
    if (known !== undefined) return known;
    this.#results.set(bit, this.#numResults);
    return this.#numResults++;
  }

  #next({ next }: TraceBlock): void {
    if (next.kind === "jump") this.#lines.push(`  br label %${label(next.to)}`);
    else if (next.kind === "fork") {
      const read = `%r${this.#numReads++}`;
      this.#line(
        "i1 @__quantum__rt__read_result(%Result*)",
        [pointer("Result", this.#resultOf(next.bit))],
        read,
      );
      this.#lines.push(`  br i1 ${read}, label %${label(next.one)}, label %${label(next.zero)}`);
    } else {
      const isUnmeasured = (bit: number) =>
        next.set.get(bit) === 1 || (next.set.has(bit) && this.#written.has(bit));
      if (this.#registers.some(isUnmeasured))
        throw new SimulationError(
          "The program ends with bits that it has set itself; QIR records nothing but what was measured.",
        );
      this.#lines.push(
        `  call void @__quantum__rt__array_record_output(i64 ${this.#registers.length}, i8* null)`,
        ...this.#registers.map(
          (_, i) => `  call void @__quantum__rt__result_record_output(${pointer("Result", i)}, i8* null)`,
        ),
        "  ret void",
      );
    }
  }

  readonly #call = (name: string, params: readonly number[], qubits: readonly number[]): void => {
    const types = [...params.map(() => "double"), ...qubits.map(() => "%Qubit*")].join(", ");
    this.#line(`void @__quantum__qis__${name}(${types})`, [
      ...params.map(value => `double ${double(value)}`),
      ...qubits.map(qubit => pointer("Qubit", qubit)),
    ]);
  };

  #line(signature: string, args: readonly string[], to?: string): void {
    this.#used.add(signature);
    this.#lines.push(
      `  ${to ? `${to} = ` : ""}call ${signature.slice(0, signature.indexOf("("))}(${args.join(", ")})`,
    );
    this.#checkRoom(0);
  }

  #checkRoom(lines: number): void {
    if (this.#lines.length + lines > MAX_LINES)
      throw new SimulationError(
        `The program comes to more than ${MAX_LINES.toLocaleString("en-US")} calls, too many to write out.`,
      );
  }
}

const label = (block: number): string => `block_${block}`;

const pointer = (type: string, place: number): string =>
  place === 0 ? `%${type}* null` : `%${type}* inttoptr (i64 ${place} to %${type}*)`;

/** Writes a real number so that LLVM reads back the same one. */
function double(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return value.toFixed(1);
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return `0x${view.getBigUint64(0).toString(16).toUpperCase().padStart(16, "0")}`;
}
