import { CircuitBuilder } from "../circuit/builder.ts";
import { Circuit } from "../circuit/circuit.ts";
import type { Compute } from "../circuit/memory.ts";
import { Fault } from "../openqasm/diagnostics/diagnostic.ts";
import type { CompileLimits } from "../openqasm/syntax/limits.ts";
import { QirBlocks } from "./blocks.ts";
import { QirCalls } from "./calls.ts";
import { QirComputations } from "./computations.ts";
import { fault, type Operand, QirOperands } from "./operands.ts";
import { outlineOf } from "./outline.ts";
import type { QirToken, QirTokens } from "./tokens.ts";

/** Compiles the body of the entry point: its blocks become instructions with jumps, its registers slots. */
export class QirFunction {
  readonly #tokens: QirTokens;
  readonly #limits: CompileLimits;
  readonly #builder = new CircuitBuilder();
  readonly #operands: QirOperands;
  readonly #blocks: QirBlocks;
  readonly #computations: QirComputations;
  readonly #calls: QirCalls;

  constructor(tokens: QirTokens, limits: CompileLimits, numQubits: number, locate: (at: number) => string) {
    this.#tokens = tokens;
    this.#limits = limits;
    this.#blocks = new QirBlocks(this.#builder, locate);
    this.#operands = new QirOperands(
      tokens,
      () => this.#builder.numSlots++,
      slot => this.#blocks.use(slot),
    );
    this.#computations = new QirComputations(tokens, this.#operands, locate);
    this.#calls = new QirCalls(tokens, this.#operands, this.#builder, limits, numQubits, locate);
  }

  /** Compiles the body up to its closing brace; `recorded` are the results in the order of their recording. */
  compile(numResults: number, recorded: readonly number[]): Circuit {
    const builder = this.#builder;
    for (const result of recorded.length > 0 ? recorded : [...Array(numResults).keys()])
      this.#calls.bit(result, 0);
    const shown = this.#calls.numBits;
    while (!this.#tokens.accept("}")) this.#line();
    this.#blocks.link();
    const { numQubits, numBits } = this.#calls;
    builder.numQubits = numQubits;
    builder.numBits = numBits;
    if (numQubits > 0) builder.quantum.push({ name: "q", offset: 0, size: numQubits });
    const width = shown || numBits;
    if (width > 0) builder.classical.push({ name: "c", offset: 0, width });
    const { parts } = builder.finish();
    return new Circuit({ ...parts, outline: outlineOf(parts) });
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
        this.#calls.read(null);
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
        throw fault(token, `\`${token.text}\` is outside of QIR's base and adaptive profiles.`);
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
      this.#calls.read(name);
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
    this.#computations.read(operation, value => this.#assign(name, value));
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
}
