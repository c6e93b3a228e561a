import { Fault } from "../diagnostics/diagnostic.ts";
import type { DurationUnit, ExpressionNode, IndexNode, RangeNode, SetNode, StatementNode } from "./ast.ts";
import { KEYWORDS_2, KEYWORDS_3 } from "./keywords.ts";
import { POWER_PRECEDENCE, PRECEDENCE, UNARY_PRECEDENCE } from "./precedence.ts";
import { describe } from "./token.ts";
import type { TokenStream } from "./token-stream.ts";
import { TYPE_NAMES, TypeParser } from "./type-parser.ts";

const LONGEST_INTEGER = 100;

/** Omits a property of each member of a union. */
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Parses expressions by precedence climbing. */
export class ExpressionParser {
  readonly tokens: TokenStream;
  /** Whether `^` is the power, as in OpenQASM 2. */
  readonly isVersion2: boolean;
  readonly types: TypeParser;
  readonly #block: (of: string) => StatementNode[];

  constructor(tokens: TokenStream, isVersion2: boolean, block: (of: string) => StatementNode[]) {
    this.tokens = tokens;
    this.isVersion2 = isVersion2;
    this.types = new TypeParser(this);
    this.#block = block;
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
    if (text === "{") return this.#array();
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

  /** Parses the literal of an array: values in braces, within each other where it has several dimensions. */
  #array(): ExpressionNode {
    return this.tokens.nested(() => {
      const { at } = this.tokens.expect("{", "where the array begins");
      const items: ExpressionNode[] = [];
      while (!this.tokens.is("}")) {
        items.push(this.tokens.is("{") ? this.#array() : this.expression());
        if (!this.tokens.accept(",")) break;
      }
      this.tokens.expect("}", "behind the values of the array");
      return this.#node(at, items, { kind: "array", items });
    });
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
      const type = this.types.type();
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
        return this.#node(at, [], { kind: "float", value: numberOf(text) });
      case "imaginary":
        return this.#node(at, [], { kind: "imaginary", value: numberOf(text) });
      case "duration": {
        const unit = /[a-zµμ]+$/.exec(text)![0].replace(/[µμ]/, "u") as DurationUnit;
        return this.#node(at, [], { kind: "duration", value: numberOf(text), unit });
      }
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
        if ((this.isVersion2 ? KEYWORDS_2 : KEYWORDS_3).has(text))
          throw new Fault(at, `\`${text}\` is a word of the language and no value.`, { length: text.length });
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
    if (name === "durationof") {
      const body = this.#block("what is timed");
      this.tokens.expect(")", "behind the block of durationof");
      return this.#node(at, [], { kind: "durationof", body });
    }
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

/** Reads the number at the beginning of a token. */
const numberOf = (text: string): number => Number.parseFloat(text.replaceAll("_", ""));
