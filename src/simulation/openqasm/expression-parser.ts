import type { ExpressionNode, IndexNode, RangeNode, SetNode, TypeNode } from "./ast.ts";
import { Fault } from "./diagnostic.ts";
import { describe } from "./token.ts";
import type { TokenStream } from "./token-stream.ts";

const PRECEDENCE: ReadonlyMap<string, number> = new Map([
  ["||", 1],
  ["&&", 2],
  ["|", 3],
  ["^", 4],
  ["&", 5],
  ["==", 6],
  ["!=", 6],
  ["<", 7],
  ["<=", 7],
  [">", 7],
  [">=", 7],
  ["<<", 8],
  [">>", 8],
  ["+", 9],
  ["-", 9],
  ["*", 10],
  ["/", 10],
  ["%", 10],
  ["**", 12],
]);
const UNARY_PRECEDENCE = 11;
const POWER_PRECEDENCE = 12;
const LONGEST_INTEGER = 100;

/** Names of the classical types that can be cast to and declared. */
export const TYPE_NAMES: ReadonlySet<string> = new Set([
  "bit",
  "bool",
  "int",
  "uint",
  "float",
  "angle",
  "complex",
  "duration",
  "stretch",
  "array",
]);

/** Omits a property of each member of a union. */
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Parses expressions by precedence climbing. */
export class ExpressionParser {
  readonly tokens: TokenStream;
  /** Whether `^` is the power, as in OpenQASM 2. */
  readonly isVersion2: boolean;

  constructor(tokens: TokenStream, isVersion2: boolean) {
    this.tokens = tokens;
    this.isVersion2 = isVersion2;
  }

  /** Parses an expression. */
  expression(least = 1): ExpressionNode {
    return this.tokens.nested(() => {
      let left = this.#unary();
      for (;;) {
        const token = this.tokens.peek();
        const operator = this.isVersion2 && token.text === "^" ? "**" : token.text;
        const precedence = token.kind === "symbol" ? PRECEDENCE.get(operator) : undefined;
        if (precedence === undefined || precedence < least) return left;
        this.tokens.take();
        const right = this.expression(precedence === POWER_PRECEDENCE ? precedence : precedence + 1);
        left = this.#node(left.at, [left, right], { kind: "binary", operator, left, right });
      }
    });
  }

  /** Parses an expression with `++` between its parts. */
  concatenation(): ExpressionNode {
    const first = this.expression();
    if (!this.tokens.is("++")) return first;
    const parts = [first];
    while (this.tokens.accept("++")) parts.push(this.expression());
    return this.#node(first.at, parts, { kind: "concatenation", parts });
  }

  /** Parses what can be assigned: an expression, or a measurement. */
  value(): ExpressionNode {
    const { at, text } = this.tokens.peek();
    if (text === "{") {
      throw new Fault(at, "Array literals are not supported yet.", { length: 1 });
    }
    if (text !== "measure") return this.concatenation();
    this.tokens.take();
    const operand = this.operand();
    return this.#node(at, [operand], { kind: "measure", operand });
  }

  /** Parses an operand of a gate: a name with indices, or a hardware qubit. */
  operand(): ExpressionNode {
    const token = this.tokens.peek();
    if (token.kind !== "name" && token.kind !== "hardware")
      throw new Fault(token.at, `A qubit or register is missing here, before ${describe(token)}.`, {
        length: Math.max(1, token.end - token.at),
      });
    return this.#postfix(this.#primary());
  }

  /** Parses a list of expressions up to a closing symbol, which is taken. */
  list(close: string, where: string): ExpressionNode[] {
    const items: ExpressionNode[] = [];
    while (!this.tokens.is(close)) {
      items.push(this.expression());
      if (!this.tokens.accept(",")) break;
    }
    this.tokens.expect(close, where);
    return items;
  }

  /** Parses a range or an expression. */
  rangeOrExpression(): ExpressionNode | RangeNode {
    const { at } = this.tokens.peek();
    const start = this.tokens.is(":") ? null : this.expression();
    if (!this.tokens.accept(":")) return start!;
    const ends = () => this.tokens.is("]") || this.tokens.is(":") || this.tokens.is(",");
    const second = ends() ? null : this.expression();
    if (!this.tokens.accept(":"))
      return { kind: "range", start, step: null, stop: second, at, end: this.tokens.lastEnd };
    const third = ends() ? null : this.expression();
    return { kind: "range", start, step: second, stop: third, at, end: this.tokens.lastEnd };
  }

  /** Parses a set of expressions in braces. */
  set(): SetNode {
    const { at } = this.tokens.expect("{", "where the set begins");
    const items = this.list("}", "behind the set");
    return { kind: "set", items, at, end: this.tokens.lastEnd };
  }

  /** Parses a type, with its width in brackets. */
  type(): TypeNode {
    const token = this.tokens.take();
    if (token.text === "array")
      throw new Fault(token.at, "Arrays are not supported yet.", {
        length: 5,
        hint: "A bit register such as bit[8] may do.",
      });
    let width: ExpressionNode | null = null;
    if (this.tokens.accept("[")) {
      if (token.text === "complex") this.type();
      else width = this.expression();
      this.tokens.expect("]", "behind the width of the type");
    }
    return { name: token.text, width, at: token.at, end: this.tokens.lastEnd };
  }

  #unary(): ExpressionNode {
    const token = this.tokens.peek();
    if (token.kind !== "symbol" || !["-", "!", "~", "+"].includes(token.text))
      return this.#postfix(this.#primary());
    this.tokens.take();
    const operand = this.expression(UNARY_PRECEDENCE);
    return this.#node(token.at, [operand], { kind: "unary", operator: token.text, operand });
  }

  #postfix(base: ExpressionNode): ExpressionNode {
    let node = base;
    while (this.tokens.accept("[")) {
      const items: IndexNode[] = [];
      if (this.tokens.is("{")) items.push(this.set());
      else
        do items.push(this.rangeOrExpression());
        while (this.tokens.accept(",") && !this.tokens.is("]"));
      this.tokens.expect("]", "behind the index");
      node = this.#node(base.at, [node], { kind: "index", base: node, items });
    }
    return node;
  }

  #primary(): ExpressionNode {
    const { tokens } = this;
    const token = tokens.peek();
    const { at, text } = token;
    if (token.kind === "name" && TYPE_NAMES.has(text)) {
      const type = this.type();
      tokens.expect("(", `behind ${text}`);
      const operand = this.expression();
      tokens.expect(")", "behind the value that is cast");
      return this.#node(at, [operand], { kind: "cast", type, operand });
    }
    if (
      token.kind === "end" ||
      (token.kind === "symbol" && text !== "(") ||
      token.kind === "pragma" ||
      token.kind === "annotation"
    )
      throw new Fault(at, `A value is missing here, before ${describe(token)}.`, {
        length: Math.max(1, token.end - at),
      });
    tokens.take();
    switch (token.kind) {
      case "integer":
        if (text.length > LONGEST_INTEGER)
          throw new Fault(at, `This number has more than ${LONGEST_INTEGER} digits.`, {
            length: token.end - at,
          });
        return this.#node(at, [], { kind: "integer", value: BigInt(text.replaceAll("_", "").toLowerCase()) });
      case "float":
        return this.#node(at, [], { kind: "float", value: Number(text.replaceAll("_", "")) });
      case "imaginary":
        return this.#node(at, [], { kind: "unsupported", feature: "Complex numbers" });
      case "duration":
        return this.#node(at, [], { kind: "unsupported", feature: "Durations in expressions" });
      case "hardware":
        return this.#node(at, [], { kind: "hardware", index: Number(text.slice(1)) });
      case "string": {
        const bits = text.slice(1, -1).replaceAll("_", "");
        if (!/^[01]+$/.test(bits))
          throw new Fault(at, `${describe(token)} is no string of bits.`, { length: token.end - at });
        return this.#node(at, [], { kind: "bits", text: bits });
      }
      case "name":
        if (text === "true" || text === "false")
          return this.#node(at, [], { kind: "boolean", value: text === "true" });
        if (tokens.accept("(")) return this.#call(at, text);
        return this.#node(at, [], { kind: "name", name: text });
      default: {
        const inner = this.expression();
        tokens.expect(")", "to close the parenthesis");
        return { ...inner, at, end: tokens.lastEnd };
      }
    }
  }

  #call(at: number, name: string): ExpressionNode {
    if (name === "durationof")
      throw new Fault(at, "durationof is not supported yet.", { length: name.length });
    const args = this.list(")", `behind the arguments of ${name}`);
    return this.#node(at, args, { kind: "call", name, args });
  }

  #node<T extends Without<ExpressionNode, "at" | "end" | "depth">>(
    at: number,
    inner: readonly ExpressionNode[],
    node: T,
  ): ExpressionNode {
    let depth = 1;
    for (const part of inner) depth = Math.max(depth, part.depth + 1);
    this.tokens.checkDepth(depth / 4, at);
    return { ...node, at, end: this.tokens.lastEnd, depth } as unknown as ExpressionNode;
  }
}
