import { isList, type OperandIndices } from "../circuit/expression.ts";
import { formatExpression } from "../circuit/format-expression.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import { BOOL, FLOAT, INT } from "../circuit/values/types.ts";
import { remembered } from "../memoized.ts";
import { errorAt, fatalAt } from "../openqasm/diagnostics/diagnostic.ts";
import { QirAllocations } from "./allocations.ts";
import { BIT } from "./arithmetic.ts";
import { qirGate } from "./gates.ts";
import type { QirMemory } from "./memory.ts";
import type { Operand, QirContext } from "./operands.ts";
import type { QirToken } from "./tokens.ts";

/** Compiles the body of a function of the module in the place of its call. */
type Inline = (name: string, args: readonly Operand[], target: string | null, callee: QirToken) => void;

/** Lowers calls of QIR's instruction set and of its runtime, and keeps which qubits and results they name. */
export class QirCalls {
  readonly #context: QirContext;
  readonly #inline: Inline;
  readonly #texts: ReadonlyMap<string, string>;
  /** The slots of the values beside results that the program records, by their names. */
  readonly #outputs = new Map<string, number>();
  /** The qubits that the program allocates while it runs. */
  readonly allocations: QirAllocations;
  readonly #bits = new Map<number, number>();
  /** The qubits by their numbers, for instructions that compute them while the program runs. */
  readonly #qubits = new Map<number, number>();
  #numQubits: number;

  constructor(
    context: QirContext,
    memory: QirMemory,
    texts: ReadonlyMap<string, string>,
    numQubits: number,
    inline: Inline,
  ) {
    this.#context = context;
    this.#inline = inline;
    this.#texts = texts;
    this.allocations = new QirAllocations(context, memory, at => this.#newQubit(at));
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
    const { tokens, operands, builder } = this.#context;
    operands.type();
    const callee = tokens.take();
    tokens.expect("(");
    const args: Operand[] = [];
    while (!tokens.accept(")")) {
      args.push(operands.operand());
      tokens.accept(",");
    }
    if (tokens.peek().text.startsWith("#")) tokens.take();
    builder.range = [callee.at, callee.end];
    const called = callee.text.replace(/^@"?|"$/g, "");
    const instruction = /^__quantum__(qis|rt)__(.*)$/.exec(called);
    if (!instruction) this.#inline(callee.text, args, name, callee);
    else if (instruction[1] === "rt") this.#runtime(instruction[2]!, args, name, callee);
    else this.#quantum(instruction[2]!, args, name, callee);
  }

  #quantum(name: string, args: readonly Operand[], target: string | null, callee: QirToken): void {
    const { builder } = this.#context;
    if (name === "barrier__body") return;
    if (name === "read_result__body") this.#runtime("read_result", args, target, callee);
    else if (/^(mz|m|mresetz|measure)__body$/.test(name)) {
      const [qubits, bits] = [
        this.#qubitAt(args[0], callee),
        args[1] ? this.#bitAt(args[1], callee) : [NO_BIT],
      ];
      if (isList(qubits) && isList(bits)) builder.addOperation(OPERATION.measure, [...qubits, ...bits]);
      else builder.add({ kind: "measure", label: "M", qubits, bits: args[1] ? bits : null });
      if (name.startsWith("mresetz")) this.#quantum("reset__body", args, null, callee);
    } else if (name === "reset__body") {
      const qubits = this.#qubitAt(args[0], callee);
      if (isList(qubits)) builder.addOperation(OPERATION.reset, qubits);
      else builder.add({ kind: "reset", label: "|0⟩", qubits });
    } else this.#gate(name, args, callee);
  }

  #gate(name: string, args: readonly Operand[], callee: QirToken): void {
    const { builder } = this.#context;
    const gate = qirGate(name);
    if (!gate) throw errorAt(callee, `There is no gate ${name.slice(0, 60)} in QIR's instruction set.`);
    if (args.length !== gate.numParams + gate.numQubits)
      throw errorAt(
        callee,
        `${name} takes ${gate.numParams + gate.numQubits} arguments, not ${args.length}.`,
      );
    const params = args.slice(0, gate.numParams);
    const qubits = args.slice(gate.numParams).map(operand => this.#qubitAt(operand, callee));
    if (args.some(({ value }) => value === null)) {
      builder.add({
        ...{ kind: "gate", gate: builder.gateIndex(gate), name: gate.name, label: gate.name, modifiers: [] },
        args: params.map(({ node, value }) => (value === null ? formatExpression(node, []) : String(value))),
        ...{ params: params.map(({ node }) => node), qubits },
      });
      return;
    }
    const known = (qubits as number[][]).flat();
    if (new Set(known).size < known.length)
      throw errorAt(callee, `${name} is applied to the same qubit twice.`);
    const values = params.map(({ value }) => Number(value));
    builder.addOperation(OPERATION.gate, known, builder.gateIndex(gate), values);
  }

  #runtime(name: string, args: readonly Operand[], target: string | null, callee: QirToken): void {
    switch (name) {
      case "read_result": {
        const bits = this.#bitAt(args[0], callee);
        if (target) {
          const slot = this.#context.operands.slot(target);
          this.#context.builder.add({ kind: "assign", slot, value: { kind: "bits", type: BIT, bits } });
        }
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
        this.#record(name.split("_")[0] as "bool" | "int" | "double", args[0], args[1]);
        return;
      default:
        if (this.allocations.call(name, args, target, callee)) return;
        throw errorAt(callee, `The function __quantum__rt__${name.slice(0, 60)} is not supported.`);
    }
  }

  /** Records a value under its label, or where it has none under its kind and the number of values before it. */
  #record(kind: "int" | "bool" | "double", value: Operand, label: Operand | undefined): void {
    const { builder } = this.#context;
    const text = label?.constant === undefined ? undefined : this.#texts.get(label.constant);
    const name = text || `${kind}_${this.#outputs.size}`;
    const slot = remembered(this.#outputs, name, () => {
      const slot = this.#context.newSlots(1, value.at);
      const type = { double: FLOAT, bool: BOOL, int: INT }[kind];
      builder.outputs.push({
        ...{ name, type: type.kind, bits: null, slots: { slots: [slot], sizes: [], type } },
      });
      return slot;
    });
    builder.add({ kind: "assign", slot, value: value.node });
  }

  #newQubit(at: number): number {
    const qubit = this.#numQubits++;
    this.check(at);
    return qubit;
  }

  /** Returns the qubit that an operand stands for, now or once the program runs. */
  #qubitAt(operand: Operand | undefined, callee: QirToken): OperandIndices {
    if (operand?.value === null)
      return { kind: "mapped", index: operand.node, table: this.#qubits, of: "qubit", at: callee.at };
    const qubit = placeOf(operand, "qubit", callee);
    this.#numQubits = Math.max(this.#numQubits, qubit + 1);
    this.check(callee.at);
    return [qubit];
  }

  /** Returns the bit of the result that an operand stands for, now or once the program runs. */
  #bitAt(operand: Operand | undefined, callee: QirToken): OperandIndices {
    if (operand?.value !== null) return [this.bit(placeOf(operand, "result", callee), callee.at)];
    return { kind: "mapped", index: operand.node, table: this.#bits, of: "result", at: callee.at };
  }

  /** Ends the reading: what names qubits while it runs may name all that there are. */
  finish(): void {
    for (let qubit = 0; qubit < this.#numQubits; qubit++) this.#qubits.set(qubit, qubit);
  }

  bit(result: number, at: number): number {
    const { size } = this.#bits;
    const bit = remembered(this.#bits, result, () => size);
    if (bit === size) this.check(at);
    return bit;
  }

  /** Ends the reading where there are too many qubits or results. */
  check(at: number): void {
    const { maxQubits, maxBits } = this.#context.limits;
    if (this.#numQubits > maxQubits || this.#bits.size > maxBits)
      throw fatalAt(
        at,
        `The program takes more than ${maxQubits.toLocaleString("en-US")} qubits or ${maxBits.toLocaleString("en-US")} results.`,
      );
  }
}

function placeOf(operand: Operand | undefined, kind: string, callee: QirToken): number {
  const place = Number(operand?.value ?? -1);
  if (!Number.isSafeInteger(place) || place < 0) throw errorAt(callee, `A ${kind} is missing here.`);
  return place;
}
