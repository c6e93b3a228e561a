import { CircuitBuilder } from "../circuit/builder.ts";
import type { Circuit } from "../circuit/circuit.ts";
import type { Compute } from "../circuit/memory.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import { Fault } from "../openqasm/diagnostic.ts";
import type { CompileLimits } from "../openqasm/limits.ts";
import { binaryOperation, comparison, conversionOf } from "./arithmetic.ts";
import { QirBlocks } from "./blocks.ts";
import { qirGate } from "./gates.ts";
import { type Operand, QirOperands } from "./operands.ts";
import type { QirToken, QirTokens } from "./tokens.ts";

/** Compiles the body of the entry point: its blocks become instructions with jumps, its registers slots. */
export class QirFunction {
  readonly #tokens: QirTokens;
  readonly #limits: CompileLimits;
  readonly #locate: (at: number) => string;
  readonly #builder = new CircuitBuilder();
  readonly #operands: QirOperands;
  readonly #blocks: QirBlocks;
  readonly #bits = new Map<number, number>();
  #numQubits = 0;

  constructor(tokens: QirTokens, limits: CompileLimits, locate: (at: number) => string) {
    this.#tokens = tokens;
    this.#limits = limits;
    this.#locate = locate;
    this.#blocks = new QirBlocks(this.#builder, locate);
    this.#operands = new QirOperands(tokens, () => this.#builder.numSlots++);
  }

  /** Compiles the body up to its closing brace; `recorded` are the results in the order of their recording. */
  compile(numQubits: number, numResults: number, recorded: readonly number[]): Circuit {
    const builder = this.#builder;
    this.#numQubits = numQubits;
    for (const result of recorded.length > 0 ? recorded : [...Array(numResults).keys()]) this.#bit(result, 0);
    this.#check(0);
    const shown = this.#bits.size;
    while (!this.#tokens.accept("}")) this.#line();
    this.#blocks.link();
    builder.numQubits = this.#numQubits;
    builder.numBits = this.#bits.size;
    if (this.#numQubits > 0) builder.quantum.push({ name: "q", offset: 0, size: this.#numQubits });
    const width = shown || this.#bits.size;
    if (width > 0) builder.classical.push({ name: "c", offset: 0, width });
    return builder.finish();
  }

  #line(): void {
    const token = this.#tokens.take();
    if (token.kind === "end") throw new Fault(token.at, "The function is never closed.", { isFatal: true });
    if (this.#builder.length > this.#limits.maxOperations)
      throw new Fault(token.at, "The program has too many operations.", { isFatal: true });
    if (token.kind === "label") {
      this.#blocks.begin(token.text.slice(0, -1));
      return;
    }
    if (token.kind === "name" && token.text.startsWith("%")) {
      this.#tokens.expect("=");
      this.#assignment(token.text, this.#tokens.take());
      return;
    }
    switch (token.text) {
      case "tail":
      case "notail":
      case "musttail":
        return;
      case "call":
        this.#call(null);
        return;
      case "br":
        this.#branch();
        return;
      case "switch":
        this.#switch();
        return;
      case "ret":
        this.#tokens.skipLine();
        this.#builder.instruction({ kind: "end" });
        return;
      case "unreachable":
        this.#builder.instruction({ kind: "end" });
        return;
      default:
        throw this.#fault(token, `\`${token.text}\` is outside of QIR's base and adaptive profiles.`);
    }
  }

  #assignment(name: string, operation: QirToken): void {
    const tokens = this.#tokens;
    const { text } = operation;
    if (text === "tail" || text === "notail") {
      this.#assignment(name, tokens.take());
      return;
    }
    if (text === "call") {
      this.#call(name);
      return;
    }
    if (text === "phi") {
      const type = this.#operands.type();
      const from = new Map<string, Operand>();
      do {
        tokens.expect("[");
        const value = this.#operands.value(type);
        tokens.expect(",");
        from.set(tokens.take().text.slice(1), value);
        tokens.expect("]");
      } while (tokens.accept(","));
      this.#blocks.phi(this.#operands.slot(name), from);
      return;
    }
    if (text === "select") {
      const [condition, yes, no] = this.#operands.list(3) as [Operand, Operand, Operand];
      this.#assign(name, memory => (condition.run(memory) ? yes.run(memory) : no.run(memory)));
      return;
    }
    if (text === "icmp" || text === "fcmp") {
      const predicate = tokens.take();
      const type = this.#operands.type();
      const left = this.#operands.value(type);
      tokens.expect(",");
      const right = this.#operands.value(type);
      const compare = comparison(predicate.text, type);
      if (!compare) throw this.#fault(predicate, `\`${predicate.text}\` compares nothing.`);
      this.#assign(name, memory => compare(left.run(memory), right.run(memory)));
      return;
    }
    const convert = conversionOf(text);
    if (convert) {
      const from = this.#operands.type();
      const value = this.#operands.value(from);
      tokens.expect("to");
      const to = this.#operands.type();
      this.#assign(name, memory => convert(value.run(memory), from, to));
      return;
    }
    while (["nsw", "nuw", "exact", "fast", "nnan", "ninf"].includes(tokens.peek().text)) tokens.take();
    const type = this.#operands.type();
    const apply = binaryOperation(text, type);
    if (!apply) throw this.#fault(operation, `\`${text}\` is outside of QIR's base and adaptive profiles.`);
    const left = this.#operands.value(type);
    tokens.expect(",");
    const right = this.#operands.value(type);
    const where = this.#locate(operation.at);
    this.#assign(name, memory => apply(left.run(memory), right.run(memory), where));
  }

  #call(name: string | null): void {
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
    const called = callee.text.replace(/^@"?|"$/g, "");
    const instruction = /^__quantum__(qis|rt)__(.*)$/.exec(called);
    if (!instruction) throw this.#fault(callee, `The function ${called.slice(0, 60)} is not known.`);
    if (instruction[1] === "rt") this.#runtime(instruction[2]!, args, name, callee);
    else this.#quantum(instruction[2]!, args, name, callee);
  }

  #quantum(name: string, args: readonly Operand[], target: string | null, callee: QirToken): void {
    const builder = this.#builder;
    if (name === "read_result__body") {
      this.#runtime("read_result", args, target, callee);
      return;
    }
    if (/^(mz|m|mresetz|measure)__body$/.test(name)) {
      const qubit = this.#qubit(args[0], callee);
      const result = args[1] ? this.#result(args[1], callee) : NO_BIT;
      builder.operation(OPERATION.measure);
      builder.operations.operand(qubit);
      builder.operations.operand(result);
      if (name.startsWith("mresetz")) this.#quantum("reset__body", args, null, callee);
      return;
    }
    if (name === "reset__body") {
      builder.operation(OPERATION.reset);
      builder.operations.operand(this.#qubit(args[0], callee));
      return;
    }
    if (name === "barrier__body") return;
    const gate = qirGate(name);
    if (!gate) throw this.#fault(callee, `There is no gate ${name.slice(0, 60)} in QIR's instruction set.`);
    if (args.length !== gate.numParams + gate.numQubits)
      throw this.#fault(
        callee,
        `${name} takes ${gate.numParams + gate.numQubits} arguments, not ${args.length}.`,
      );
    const params = args.slice(0, gate.numParams);
    const qubits = args.slice(gate.numParams).map(arg => this.#qubit(arg, callee));
    if (new Set(qubits).size < qubits.length)
      throw this.#fault(callee, `${name} is applied to the same qubit twice.`);
    if (params.some(({ value }) => value === null)) {
      builder.instruction({
        kind: "gate",
        at: this.#locate(callee.at),
        gate: () => gate,
        params: params.map(({ run }) => run as Compute<number>),
        qubits: qubits.map(qubit => () => [qubit]),
      });
      builder.dynamic({ kind: "dynamic", name: gate.name, label: gate.name, qubits, bits: [] });
      return;
    }
    builder.operation(OPERATION.gate, builder.gatePlace(gate));
    for (const qubit of qubits) builder.operations.operand(qubit);
    for (const { value } of params) builder.operations.param(Number(value));
  }

  #runtime(name: string, args: readonly Operand[], target: string | null, callee: QirToken): void {
    switch (name) {
      case "read_result": {
        const bit = this.#result(args[0], callee);
        if (target) this.#assign(target, memory => BigInt(memory.readBit(bit)));
        return;
      }
      case "initialize":
      case "result_record_output":
      case "array_record_output":
      case "tuple_record_output":
      case "bool_record_output":
      case "int_record_output":
      case "double_record_output":
        return;
      default:
        throw this.#fault(callee, `The function __quantum__rt__${name.slice(0, 60)} is not supported.`);
    }
  }

  #branch(): void {
    const tokens = this.#tokens;
    if (tokens.accept("label")) {
      this.#blocks.jumpTo(tokens.take());
      return;
    }
    const condition = this.#operands.operand();
    tokens.expect(",");
    tokens.expect("label");
    const yes = tokens.take();
    tokens.expect(",");
    tokens.expect("label");
    const no = tokens.take();
    this.#blocks.either(memory => Boolean(condition.run(memory)), yes);
    this.#blocks.jumpTo(no);
  }

  #switch(): void {
    const tokens = this.#tokens;
    const value = this.#operands.operand();
    tokens.expect(",");
    tokens.expect("label");
    const otherwise = tokens.take();
    tokens.expect("[");
    while (!tokens.accept("]")) {
      const label = this.#operands.operand();
      tokens.expect(",");
      tokens.expect("label");
      this.#blocks.either(memory => value.run(memory) === label.run(memory), tokens.take());
    }
    this.#blocks.jumpTo(otherwise);
  }

  #assign(name: string, value: Compute): void {
    this.#builder.instruction({ kind: "assign", slot: this.#operands.slot(name), value });
  }

  #qubit(operand: Operand | undefined, callee: QirToken): number {
    const qubit = this.#place(operand, "qubit", callee);
    this.#numQubits = Math.max(this.#numQubits, qubit + 1);
    this.#check(callee.at);
    return qubit;
  }

  #result(operand: Operand | undefined, callee: QirToken): number {
    return this.#bit(this.#place(operand, "result", callee), callee.at);
  }

  #place(operand: Operand | undefined, kind: string, callee: QirToken): number {
    if (operand?.value === null)
      throw this.#fault(callee, `Which ${kind} this is has to be known before the run.`);
    const place = Number(operand?.value ?? -1);
    if (!Number.isSafeInteger(place) || place < 0) throw this.#fault(callee, `A ${kind} is missing here.`);
    return place;
  }

  /** Gives the bit of a result. */
  #bit(result: number, at: number): number {
    let bit = this.#bits.get(result);
    if (bit === undefined) {
      bit = this.#bits.size;
      this.#bits.set(result, bit);
      this.#check(at);
    }
    return bit;
  }

  #check(at: number): void {
    const { maxQubits, maxBits } = this.#limits;
    if (this.#numQubits > maxQubits || this.#bits.size > maxBits)
      throw new Fault(
        at,
        `The program takes more than ${maxQubits.toLocaleString("en-US")} qubits or ${maxBits.toLocaleString("en-US")} results.`,
        { isFatal: true },
      );
  }

  #fault(token: QirToken, message: string): Fault {
    return new Fault(token.at, message, { length: Math.max(1, token.text.length), isFatal: true });
  }
}
