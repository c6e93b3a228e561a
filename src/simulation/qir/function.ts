import { CircuitBuilder } from "../circuit/builder.ts";
import type { Circuit } from "../circuit/circuit.ts";
import type { Expression } from "../circuit/expression.ts";
import type { Statement } from "../circuit/statement.ts";
import { BOOL } from "../circuit/values/types.ts";
import { errorAt, tooMany } from "../openqasm/diagnostics/diagnostic.ts";
import type { CompileLimits } from "../openqasm/syntax/limits.ts";
import { binaryOperation, castTo, comparison, converted, isBinary, isConversion } from "./arithmetic.ts";
import { QirBlocks } from "./blocks.ts";
import { QirCalls } from "./calls.ts";
import { QirMemory } from "./memory.ts";
import type { QirModule } from "./module.ts";
import { type Operand, type QirContext, QirOperands } from "./operands.ts";
import type { QirToken, QirTokens } from "./tokens.ts";

const MAX_CALLS = 64;
/** Maximum number of lines that calls of functions expand to. */
const MAX_INLINED = 500_000;

/** Compiles the body of the entry point: its blocks become instructions with jumps, its registers slots. */
export class QirFunction implements QirContext {
  readonly tokens: QirTokens;
  readonly limits: CompileLimits;
  readonly builder = new CircuitBuilder();
  readonly operands: QirOperands;
  readonly #memory: QirMemory;
  readonly #functions: QirModule["functions"];
  #blocks: QirBlocks;
  /** Of the function that is called: the slot of its value. */
  #called: { readonly slot: number | null } | null = null;
  #depth = 0;
  /** Lines of called functions that were read so far. */
  #inlined = 0;
  readonly #calls: QirCalls;

  constructor(
    tokens: QirTokens,
    { functions, arrays, texts }: QirModule,
    limits: CompileLimits,
    numQubits: number,
  ) {
    this.tokens = tokens;
    this.#functions = functions;
    this.limits = limits;
    this.#blocks = new QirBlocks(this.builder);
    this.operands = new QirOperands(this, arrays.places, slot => this.#blocks.use(slot));
    this.#memory = new QirMemory(this, arrays);
    this.#calls = new QirCalls(this, this.#memory, texts, numQubits, (...call) => this.#inline(...call));
  }

  /** Compiles the body up to its closing brace; `recorded` are the results in the order of their recording. */
  compile(source: string, numResults: number, recorded: readonly number[]): Circuit {
    const builder = this.builder;
    for (const result of recorded.length > 0 ? recorded : [...Array(numResults).keys()])
      this.#calls.bit(result, 0);
    const shown = this.#calls.numBits;
    for (let result = 0; result < numResults; result++) this.#calls.bit(result, 0);
    this.operands.within(new Map(), () => {
      for (const statement of this.#body()) builder.add(statement);
    });
    this.#calls.finish();
    const { numQubits, numBits } = this.#calls;
    builder.numQubits = numQubits;
    builder.numBits = numBits;
    if (numQubits > 0) builder.quantum.push({ name: "q", offset: 0, size: numQubits });
    const width = shown || numBits;
    if (width > 0) builder.classical.push({ name: "c", offset: 0, width });
    builder.source = { format: "qir.ll", data: source, inputs: {} };
    return builder.finish();
  }

  /** Reads the rest of a function, and returns it as statements. */
  #body(): readonly Statement[] {
    let body: readonly Statement[] = [];
    this.builder.collect(() => {
      while (!this.tokens.is("}")) this.#line();
      body = this.#blocks.finish(this.tokens.take().at);
    });
    return body;
  }

  newSlots(count: number, at: number): number {
    const first = this.builder.numSlots;
    this.builder.numSlots += count;
    const { maxValues } = this.limits;
    if (this.builder.numSlots > maxValues)
      throw tooMany(at, "The program takes", maxValues, "registers and places of memory");
    return first;
  }

  #line(): void {
    const tokens = this.tokens;
    const token = tokens.take();
    if (this.#depth > 0 && ++this.#inlined > MAX_INLINED)
      throw tooMany(token.at, "The calls of functions expand to", MAX_INLINED, "instructions");
    if (token.kind === "end") throw errorAt(token, "The function is never closed.");
    if (this.builder.length > this.limits.maxOperations)
      throw errorAt(token, "The program has too many operations.");
    this.builder.range = [token.at, token.end];
    if (token.kind === "label") {
      this.#blocks.begin(token.text.slice(0, -1), token.at);
      return;
    }
    if (token.text === "," && tokens.peek().text.startsWith("!")) {
      tokens.skipLine();
      return;
    }
    this.#blocks.checkOpen(token.at);
    if (token.kind === "name" && token.text.startsWith("%")) {
      tokens.expect("=");
      this.#assignment(token.text, tokens.take());
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
        this.#calls.allocations.isStraight = false;
        readBranch(this, this.#blocks);
        return;
      case "switch":
        this.#calls.allocations.isStraight = false;
        readSwitch(this, this.#blocks);
        return;
      case "ret":
        this.#return(token.at);
        return;
      case "store":
        this.builder.add(this.#memory.store(token));
        return;
      case "unreachable":
        this.#blocks.end();
        return;
      default:
        throw errorAt(token, `\`${token.text}\` is outside of QIR's base and adaptive profiles.`);
    }
  }

  #assignment(name: string, operation: QirToken): void {
    const tokens = this.tokens;
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
      readPhi(this, this.#blocks, name);
      return;
    }
    const assign = (value: Expression) => this.#assign(name, value);
    if (!this.#memory.read(operation, name, assign)) assign(readComputation(this, operation));
  }

  #return(at: number): void {
    if (!this.#called) {
      this.tokens.skipLine();
      this.#blocks.end();
      return;
    }
    const { slot } = this.#called;
    if (!this.tokens.accept("void")) {
      const { node } = this.operands.operand();
      if (slot !== null) this.builder.add({ kind: "assign", slot, value: node });
    }
    this.#blocks.leave(at);
  }

  /** Compiles the body of a function of the module in the place of its call. */
  #inline(name: string, args: readonly Operand[], target: string | null, callee: QirToken): void {
    const definition = this.#functions.get(name);
    if (!definition) throw errorAt(callee, `The function ${name.slice(1, 60)} is not known.`);
    if (definition.params.length !== args.length)
      throw errorAt(
        callee,
        `${name.slice(1, 60)} takes ${definition.params.length} arguments, not ${args.length}.`,
      );
    if (++this.#depth > MAX_CALLS) throw errorAt(callee, "Calls nest too deep here.");
    const outer = { blocks: this.#blocks, called: this.#called, offset: this.tokens.offset };
    const slot = target === null ? null : this.operands.slot(target);
    let body: readonly Statement[] = [];
    this.#called = { slot };
    this.#blocks = new QirBlocks(this.builder);
    this.tokens.seek(definition.body);
    this.operands.within(new Map(definition.params.map((param, i) => [param, args[i]!])), () => {
      body = this.#body();
    });
    this.tokens.seek(outer.offset);
    this.#blocks = outer.blocks;
    this.#called = outer.called;
    this.#depth--;
    for (const statement of body) this.builder.add(statement);
  }

  #assign(name: string, value: Expression): void {
    this.builder.add({ kind: "assign", slot: this.operands.slot(name), value });
  }
}

/** Reads what follows `br`: a jump, or one of two by a condition. */
function readBranch({ tokens, operands }: QirContext, blocks: QirBlocks): void {
  if (tokens.accept("label")) {
    blocks.jumpTo(tokens.take());
    return;
  }
  const condition = operands.operand();
  const yes = readLabel(tokens);
  const no = readLabel(tokens);
  blocks.either(castTo(BOOL, condition.node), yes);
  blocks.jumpTo(no);
}

/** Reads what follows `switch`: a jump by the value of a whole number. */
function readSwitch({ tokens, operands }: QirContext, blocks: QirBlocks): void {
  const { node: left } = operands.operand();
  const otherwise = readLabel(tokens);
  tokens.expect("[");
  while (!tokens.accept("]")) {
    const { node: right } = operands.operand();
    blocks.either({ kind: "binary", operator: "==", type: BOOL, left, right }, readLabel(tokens));
  }
  blocks.jumpTo(otherwise);
}

/** Reads what follows `phi`: the value that a register `name` takes after each block before. */
function readPhi({ tokens, operands }: QirContext, blocks: QirBlocks, name: string): void {
  const type = operands.type();
  const from = new Map<string, Operand>();
  do {
    tokens.expect("[");
    const value = operands.value(type);
    tokens.expect(",");
    from.set(tokens.take().text.slice(1), value);
    tokens.expect("]");
  } while (tokens.accept(","));
  blocks.phi(operands.slot(name), from);
}

function readLabel(tokens: QirTokens): QirToken {
  tokens.expect(",");
  tokens.expect("label");
  return tokens.take();
}

/** Words that promise something about an operation, which computes the same without them. */
const FLAGS: ReadonlySet<string> = new Set(
  "nsw nuw exact fast nnan ninf nsz arcp contract afn reassoc".split(" "),
);

/** Reads what computes a value of others: selections, comparisons, conversions and arithmetic. */
function readComputation({ tokens, operands }: QirContext, operation: QirToken): Expression {
  const { text, at } = operation;
  const pair = (): [Expression, Expression] => {
    const type = operands.type();
    const left = operands.value(type);
    tokens.expect(",");
    return [left.node, operands.value(type).node];
  };
  while (FLAGS.has(tokens.peek().text)) tokens.take();
  if (text === "select") {
    const [{ node: condition }, { node: yes }, { node: no }] = operands.list(3) as [
      Operand,
      Operand,
      Operand,
    ];
    return { kind: "select", type: yes.type, condition, yes, no };
  }
  if (text === "icmp" || text === "fcmp") {
    const predicate = tokens.take();
    const [left, right] = pair();
    const compared = comparison(predicate.text, left, right, at);
    if (!compared) throw errorAt(predicate, `\`${predicate.text}\` compares nothing.`);
    return compared;
  }
  if (isConversion(text)) {
    const { node } = operands.value(operands.type());
    tokens.expect("to");
    return converted(text, node, operands.type(), at);
  }
  if (text === "fneg") {
    const { node: operand } = operands.operand();
    return { kind: "unary", operator: "-", type: operand.type, operand, at };
  }
  if (!isBinary(text))
    throw errorAt(operation, `\`${text}\` is outside of QIR's base and adaptive profiles.`);
  const [left, right] = pair();
  return binaryOperation(text, left, right, at);
}
