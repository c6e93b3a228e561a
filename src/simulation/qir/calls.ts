import type { CircuitBuilder } from "../circuit/builder.ts";
import type { Expression, OperandIndices } from "../circuit/expression.ts";
import { formatExpression } from "../circuit/format-expression.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import { DiagnosticError } from "../openqasm/diagnostics/diagnostic.ts";
import type { CompileLimits } from "../openqasm/syntax/limits.ts";
import { DynamicQubits, QirAllocations } from "./allocations.ts";
import { BIT } from "./arithmetic.ts";
import { qirGate } from "./gates.ts";
import type { QirMemory } from "./memory.ts";
import { errorAt, type Operand, type QirOperands } from "./operands.ts";
import type { RecordedOutputs } from "./outputs.ts";
import type { QirToken, QirTokens } from "./tokens.ts";

/** Lowers calls of QIR's instruction set and of its runtime, and keeps which qubits and results they name. */
export class QirCalls {
  readonly #tokens: QirTokens;
  readonly #limits: CompileLimits;
  readonly #builder: CircuitBuilder;
  readonly #operands: QirOperands;
  readonly #inline: (name: string, args: readonly Operand[], target: string | null, callee: QirToken) => void;
  readonly #outputs: RecordedOutputs;
  /** The qubits that the program allocates while it runs. */
  readonly allocations: QirAllocations;
  readonly #bits = new Map<number, number>();
  /** The qubits by their numbers, for what names them while the program runs. */
  readonly #qubits = new Map<number, number>();
  #numQubits: number;

  constructor(
    tokens: QirTokens,
    operands: QirOperands,
    builder: CircuitBuilder,
    limits: CompileLimits,
    numQubits: number,
    inline: (name: string, args: readonly Operand[], target: string | null, callee: QirToken) => void,
    memory: QirMemory,
    outputs: RecordedOutputs,
    newSlot: (at: number) => number,
  ) {
    this.#inline = inline;
    this.#outputs = outputs;
    const qubits = new DynamicQubits(builder, at => this.#newQubit(at), newSlot);
    this.allocations = new QirAllocations(builder, operands, memory, qubits);
    this.#tokens = tokens;
    this.#operands = operands;
    this.#builder = builder;
    this.#limits = limits;
    this.#numQubits = numQubits;
    this.check(0);
  }

  /** Number of qubits that the program declares or names. */
  get numQubits(): number {
    return this.#numQubits;
  }

  get numBits(): number {
    return this.#bits.size;
  }

  /** Reads what follows the word `call`, and lowers it; `name` is the register that takes its result. */
  read(name: string | null): void {
    const tokens = this.#tokens;
    this.#operands.type();
    const callee = tokens.take();
    tokens.expect("(");
    const args: Operand[] = [];
    while (!tokens.accept(")")) {
      args.push(this.#operands.operand());
      tokens.accept(",");
    }
    if (tokens.peek().text.startsWith("#")) tokens.take();
    this.#builder.range = [callee.at, callee.at + callee.text.length];
    const called = callee.text.replace(/^@"?|"$/g, "");
    const instruction = /^__quantum__(qis|rt)__(.*)$/.exec(called);
    if (!instruction) this.#inline(callee.text, args, name, callee);
    else if (instruction[1] === "rt") this.#runtime(instruction[2]!, args, name, callee);
    else this.#quantum(instruction[2]!, args, name, callee);
  }

  #quantum(name: string, args: readonly Operand[], target: string | null, callee: QirToken): void {
    const builder = this.#builder;
    if (name === "read_result__body") {
      this.#runtime("read_result", args, target, callee);
      return;
    }
    if (/^(mz|m|mresetz|measure)__body$/.test(name)) {
      this.#measure(args[0], args[1], callee);
      if (name.startsWith("mresetz")) this.#quantum("reset__body", args, null, callee);
      return;
    }
    if (name === "reset__body") {
      if (args[0]?.value === null) {
        builder.add({ kind: "reset", label: "|0⟩", qubits: this.#qubitAt(args[0], callee) });
        return;
      }
      builder.operation(OPERATION.reset);
      builder.operations.operand(this.#qubit(args[0], callee));
      return;
    }
    if (name === "barrier__body") return;
    const gate = qirGate(name);
    if (!gate) throw errorAt(callee, `There is no gate ${name.slice(0, 60)} in QIR's instruction set.`);
    if (args.length !== gate.numParams + gate.numQubits)
      throw errorAt(
        callee,
        `${name} takes ${gate.numParams + gate.numQubits} arguments, not ${args.length}.`,
      );
    const params = args.slice(0, gate.numParams);
    const operands = args.slice(gate.numParams);
    if (args.some(({ value }) => value === null)) {
      builder.add({
        kind: "gate",
        gate: builder.gateIndex(gate),
        name: gate.name,
        label: gate.name,
        args: params.map(({ node, value }) => (value === null ? formatExpression(node, []) : String(value))),
        modifiers: [],
        params: params.map(({ node }) => node),
        qubits: operands.map(operand => this.#qubitAt(operand, callee)),
      });
      return;
    }
    const qubits = operands.map(operand => this.#qubit(operand, callee));
    if (new Set(qubits).size < qubits.length)
      throw errorAt(callee, `${name} is applied to the same qubit twice.`);
    builder.operation(OPERATION.gate, builder.gateIndex(gate));
    for (const qubit of qubits) builder.operations.operand(qubit);
    for (const { value } of params) builder.operations.param(Number(value));
  }

  #measure(measured: Operand | undefined, kept: Operand | undefined, callee: QirToken): void {
    const builder = this.#builder;
    if (measured?.value === null || kept?.value === null) {
      const [qubits, bits] = [this.#qubitAt(measured, callee), kept ? this.#bitAt(kept, callee) : null];
      builder.add({ kind: "measure", label: "M", qubits, bits });
      return;
    }
    const [qubit, bit] = [this.#qubit(measured, callee), kept ? this.#result(kept, callee) : NO_BIT];
    builder.operation(OPERATION.measure);
    builder.operations.operand(qubit);
    builder.operations.operand(bit);
  }

  #runtime(name: string, args: readonly Operand[], target: string | null, callee: QirToken): void {
    switch (name) {
      case "read_result": {
        const bits = this.#bitAt(args[0], callee);
        if (target) this.#assign(target, { kind: "bits", type: BIT, bits });
        return;
      }
      case "initialize":
      case "result_record_output":
      case "array_record_output":
      case "tuple_record_output":
      case "array_update_reference_count":
      case "array_update_alias_count":
        return;
      case "bool_record_output":
      case "int_record_output":
      case "double_record_output":
        if (!args[0]) throw errorAt(callee, "The value that is recorded is missing.");
        this.#outputs.record(name.split("_")[0] as "bool" | "int" | "double", args[0], args[1]);
        return;
      default:
        if (this.allocations.call(name, args, target, callee)) return;
        throw errorAt(callee, `The function __quantum__rt__${name.slice(0, 60)} is not supported.`);
    }
  }

  #newQubit(at: number): number {
    const qubit = this.#numQubits++;
    this.check(at);
    return qubit;
  }

  #qubit(operand: Operand | undefined, callee: QirToken): number {
    const qubit = this.#place(operand, "qubit", callee);
    this.#numQubits = Math.max(this.#numQubits, qubit + 1);
    this.check(callee.at);
    return qubit;
  }

  #result(operand: Operand | undefined, callee: QirToken): number {
    return this.bit(this.#place(operand, "result", callee), callee.at);
  }

  /** Returns the qubit that an operand stands for once the program runs. */
  #qubitAt(operand: Operand | undefined, callee: QirToken): OperandIndices {
    if (operand?.value !== null) return [this.#qubit(operand, callee)];
    return { kind: "mapped", index: operand.node, table: this.#qubits, of: "qubit", at: callee.at };
  }

  /** Returns the bit of the result that an operand stands for once the program runs. */
  #bitAt(operand: Operand | undefined, callee: QirToken): OperandIndices {
    if (operand?.value !== null) return [this.#result(operand, callee)];
    return { kind: "mapped", index: operand.node, table: this.#bits, of: "result", at: callee.at };
  }

  /** Ends the reading: what names qubits while it runs may name all that there are. */
  finish(): void {
    for (let qubit = 0; qubit < this.#numQubits; qubit++) this.#qubits.set(qubit, qubit);
  }

  #place(operand: Operand | undefined, kind: string, callee: QirToken): number {
    if (operand?.value === null)
      throw errorAt(callee, `Which ${kind} this is has to be known before the run.`);
    const place = Number(operand?.value ?? -1);
    if (!Number.isSafeInteger(place) || place < 0) throw errorAt(callee, `A ${kind} is missing here.`);
    return place;
  }

  bit(result: number, at: number): number {
    let bit = this.#bits.get(result);
    if (bit === undefined) {
      bit = this.#bits.size;
      this.#bits.set(result, bit);
      this.check(at);
    }
    return bit;
  }

  /** Ends the reading where there are too many qubits or results. */
  check(at: number): void {
    const { maxQubits, maxBits } = this.#limits;
    if (this.#numQubits > maxQubits || this.#bits.size > maxBits)
      throw new DiagnosticError(
        at,
        `The program takes more than ${maxQubits.toLocaleString("en-US")} qubits or ${maxBits.toLocaleString("en-US")} results.`,
        { isFatal: true },
      );
  }

  #assign(name: string, value: Expression): void {
    this.#builder.add({ kind: "assign", slot: this.#operands.slot(name), value });
  }
}
