import { DiagnosticError, errorAt } from "../diagnostics/diagnostic.ts";
import type { ExpressionNode, IndexNode, NodeList, RangeNode, SetNode } from "./ast.ts";
import { describe, type Token } from "./lexer.ts";
import { DEFAULT_COMPILE_LIMITS } from "./limits.ts";
import { literalOf, parseOperand, parseOperandList, parseType } from "./operand-parser.ts";
import { POWER_PRECEDENCE, PRECEDENCE, UNARY_PRECEDENCE } from "./operators.ts";
import { habitHint, KEYWORDS_2, KEYWORDS_3, TokenStream, TYPE_NAMES } from "./token-stream.ts";

/** Parses expressions by precedence climbing. */
export class ExpressionParser {
  readonly tokens: TokenStream;
  /** Whether `^` is the power, as in OpenQASM 2. */
  readonly isVersion2: boolean;
  readonly #block: (of: string) => NodeList;

  constructor(tokens: TokenStream, isVersion2: boolean, block: (of: string) => NodeList) {
    this.tokens = tokens;
    this.isVersion2 = isVersion2;
    this.#block = block;
  }

  expression(least = 1): ExpressionNode {
    this.tokens.deepen();
    const node = this.#binary(this.#unary(), least);
    this.tokens.depth--;
    return node;
  }

  /** Parses the rest of an expression that begins with a name which is taken already. */
  afterName(name: Token): ExpressionNode {
    return this.#binary(this.indexed(this.#name(name)), 1);
  }

  /** Parses an expression with `++` between its parts. */
  concatenation(): ExpressionNode {
    const first = this.expression();
    if (!this.tokens.is("++")) return first;
    const parts = [first];
    while (this.tokens.accept("++")) parts.push(this.expression());
    const { at } = first;
    const depth = this.#depthOf(at, parts);
    return { kind: "concatenation", parts, at, end: this.tokens.lastEnd, depth };
  }

  /** Parses what can be assigned: an expression, a measurement, or a call with its qubits after the parenthesis; to what is declared also an array. */
  value(isDeclared = false): ExpressionNode {
    const { tokens } = this;
    const { at, text, kind } = tokens.peek();
    if (text === "{") {
      if (isDeclared) return this.#array();
      throw errorAt(
        tokens.peek(),
        "Values in braces stand where an array is declared, and nowhere else.",
        "Assign the elements one by one.",
      );
    }
    if (text === "measure") {
      tokens.take();
      const operand = parseOperand(this);
      return { kind: "measure", operand, at, end: tokens.lastEnd, depth: operand.depth + 1 };
    }
    const value = this.concatenation();
    const isCalled = kind === "name" && (value.kind === "name" || value.kind === "call");
    if (!isCalled || !tokens.isOperandNext()) return value;
    return this.callWith(value, parseOperandList(this));
  }

  /** Returns the call of a subroutine with qubits among its arguments. */
  callWith(
    called: ExpressionNode & { kind: "name" | "call" },
    operands: readonly ExpressionNode[],
  ): ExpressionNode {
    const { at, name } = called;
    const args = called.kind === "call" ? [...called.args, ...operands] : operands;
    return { kind: "call", name, args, at, end: this.tokens.lastEnd, depth: this.#depthOf(at, args) };
  }

  /** Parses a list of expressions up to a closing symbol, which is taken. */
  list(close: string, where: string): ExpressionNode[] {
    return this.items(close, where, () => this.expression());
  }

  /** Parses items with commas between them up to a closing symbol, which is taken. */
  items<T>(close: string, where: string, parse: () => T): T[] {
    const items: T[] = [];
    while (!this.tokens.is(close)) {
      items.push(parse());
      if (!this.tokens.accept(",")) break;
    }
    this.tokens.expect(close, where);
    return items;
  }

  rangeOrExpression(): ExpressionNode | RangeNode {
    const { at } = this.tokens.peek();
    const start = this.tokens.is(":") ? null : this.expression();
    if (!this.tokens.accept(":")) return start!;
    const ends = () => this.tokens.is("]") || this.tokens.is(":") || this.tokens.is(",");
    const second = ends() ? null : this.expression();
    if (!this.tokens.accept(":"))
      return { kind: "range", start, step: null, stop: second, at, end: this.tokens.lastEnd };
    const third = this.expression();
    return { kind: "range", start, step: second, stop: third, at, end: this.tokens.lastEnd };
  }

  set(): SetNode {
    const { at } = this.tokens.expect("{", "where the set begins");
    this.tokens.refuse("}", "A set has at least one value.");
    const items = this.list("}", "after the set");
    return { kind: "set", items, at, end: this.tokens.lastEnd };
  }

  /** Parses the literal of an array: values in braces, within each other where it has several dimensions. */
  #array(): ExpressionNode {
    const { tokens } = this;
    tokens.deepen();
    const { at } = tokens.expect("{", "where the array begins");
    const item = () => (tokens.is("{") ? this.#array() : this.expression());
    const items = this.items("}", "after the values of the array", item);
    tokens.depth--;
    return { kind: "array", items, at, end: tokens.lastEnd, depth: this.#depthOf(at, items) };
  }

  /** Parses the operators after an operand that bind at least as tightly as `least`. */
  #binary(first: ExpressionNode, least: number): ExpressionNode {
    const { tokens } = this;
    let left = first;
    for (;;) {
      const token = tokens.peek();
      const operator = this.isVersion2 && token.text === "^" ? "**" : token.text;
      const precedence = token.kind === "symbol" ? PRECEDENCE.get(operator) : undefined;
      if (precedence === undefined || precedence < least) return left;
      tokens.take();
      const right = this.expression(precedence === POWER_PRECEDENCE ? precedence : precedence + 1);
      const { at } = left;
      const isChain = left.kind === "binary";
      const depth = this.#checkedDepth(Math.max(left.depth + (isChain ? 0 : 1), right.depth + 1), at);
      left = { kind: "binary", operator, left, right, at, end: tokens.lastEnd, depth };
    }
  }

  #unary(): ExpressionNode {
    const { tokens } = this;
    const token = tokens.peek();
    const { at, text: operator } = token;
    if (token.kind !== "symbol" || (operator !== "-" && operator !== "!" && operator !== "~")) {
      if (operator !== "+" || token.kind !== "symbol") return this.indexed(this.#primary());
      if (!this.isVersion2)
        throw errorAt(token, "A + stands between two values, not in front of one.", "Leave it out.");
    }
    tokens.take();
    const operand = this.expression(UNARY_PRECEDENCE);
    const depth = this.#checkedDepth(operand.depth + 1, at);
    return { kind: "unary", operator, operand, at, end: tokens.lastEnd, depth };
  }

  /** Parses the indices after what they are of. */
  indexed(base: ExpressionNode): ExpressionNode {
    const { tokens } = this;
    let node = base;
    while (tokens.accept("[")) {
      const items: IndexNode[] = [];
      if (tokens.is("{")) items.push(this.set());
      else
        do items.push(this.rangeOrExpression());
        while (tokens.accept(",") && !tokens.is("]"));
      tokens.expect("]", "after the index");
      const depth = this.#checkedDepth(node.depth + 1, base.at);
      node = { kind: "index", base: node, items, at: base.at, end: tokens.lastEnd, depth };
    }
    return node;
  }

  #primary(): ExpressionNode {
    const { tokens } = this;
    const token = tokens.peek();
    const { at, kind, text } = token;
    if (kind === "name" && TYPE_NAMES.has(text)) return this.#cast();
    if (kind === "end" || (kind === "symbol" && text !== "(") || kind === "pragma" || kind === "annotation")
      throw errorAt(
        token,
        `A value is missing here, before ${describe(token)}.`,
        text === ":" || text === "." ? habitHint("", text, "") : undefined,
      );
    tokens.take();
    if (kind === "name") return this.#name(token);
    if (kind !== "symbol") return literalOf(token);
    const inner = this.expression();
    tokens.expect(")", "to close the parenthesis");
    return { ...inner, at, end: tokens.lastEnd };
  }

  /** Refuses a word of the language where a name stands. */
  checkName(token: Token, wanted = "value", hint?: string): void {
    const { text } = token;
    if ((this.isVersion2 ? KEYWORDS_2 : KEYWORDS_3).has(text))
      throw errorAt(
        token,
        `\`${text}\` is a keyword, not a ${wanted}.`,
        text === "measure" ? "Measure into a separate bit first: `bit b = measure q;`." : hint,
      );
  }

  /** Parses an expression that begins with a name: the name itself, or a call. */
  #name(token: Token): ExpressionNode {
    const { tokens } = this;
    const { text: name, at, end } = token;
    if (name === "true" || name === "false")
      return { kind: "boolean", value: name === "true", at, end, depth: 1 };
    if (name === "durationof" && tokens.accept("(")) {
      const body = this.#block("what is timed");
      tokens.expect(")", "after the block of durationof");
      return { kind: "durationof", body, at, end: tokens.lastEnd, depth: 1 };
    }
    this.checkName(token);
    if (!tokens.accept("(")) return { kind: "name", name, at, end, depth: 1 };
    const args = this.list(")", `after the arguments of ${name}`);
    return { kind: "call", name, args, at, end: tokens.lastEnd, depth: this.#depthOf(at, args) };
  }

  #cast(): ExpressionNode {
    const { tokens } = this;
    const { at, text } = tokens.peek();
    const type = parseType(this);
    tokens.expect("(", `after ${text}`);
    const operand = this.expression();
    tokens.expect(")", "after the value that is cast");
    return { kind: "cast", type, operand, at, end: tokens.lastEnd, depth: operand.depth + 1 };
  }

  #depthOf(at: number, parts: readonly ExpressionNode[]): number {
    let depth = 1;
    for (const part of parts) if (part.depth >= depth) depth = part.depth + 1;
    return this.#checkedDepth(depth, at);
  }

  /** Returns the depth of a tree, which may be four times that of what is open at once: chains of operators are long. */
  #checkedDepth(depth: number, at: number): number {
    if (depth > 4) this.tokens.checkDepth(depth / 4, at);
    return depth;
  }
}

/** Parses text that is one expression. Throws a DiagnosticError for other text, and for more than 1,000 tokens. */
export function parseExpression(text: string): ExpressionNode {
  const tokens = new TokenStream(text, { ...DEFAULT_COMPILE_LIMITS, maxTokens: 1000 });
  const refuse = (message: string): never => {
    throw new DiagnosticError(0, message);
  };
  const node = new ExpressionParser(tokens, false, () => refuse("A block is not allowed here.")).expression();
  return tokens.peek().kind === "end" ? node : refuse("There is more than an expression.");
}
