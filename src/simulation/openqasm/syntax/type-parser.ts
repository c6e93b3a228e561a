import { DiagnosticError } from "../diagnostics/diagnostic.ts";
import type { ExpressionNode, TypeNode } from "./ast.ts";
import type { ExpressionParser } from "./expression-parser.ts";
import { TYPE_NAMES } from "./keywords.ts";
import { describe, type Token } from "./token.ts";

const WITHOUT_WIDTH = ["bool", "duration", "stretch"];
const ELEMENTS = ["int", "uint", "float", "angle", "complex", "bool", "duration", "bit"];

/** Parses types as a program writes them. */
export class TypeParser {
  readonly #expressions: ExpressionParser;

  constructor(expressions: ExpressionParser) {
    this.#expressions = expressions;
  }

  /** Parses a type, with its width in brackets; `access` is the word in front of the array of a parameter. */
  type(access: "readonly" | "mutable" | null = null): TypeNode {
    const { tokens } = this.#expressions;
    const token = tokens.peek();
    if (!TYPE_NAMES.has(token.text))
      throw new DiagnosticError(token.at, `A type is missing here, before ${describe(token)}.`, {
        length: Math.max(1, token.end - token.at),
        hint: "Write the type before the name, as in `int n` or `qubit q`. If nothing is returned, omit the arrow.",
      });
    tokens.take();
    if (token.text === "array") return this.#array(token, access);
    let width: ExpressionNode | null = null;
    if (tokens.is("[")) {
      if (WITHOUT_WIDTH.includes(token.text))
        throw new DiagnosticError(tokens.peek().at, `The type ${token.text} has no width.`, { length: 1 });
      tokens.take();
      if (token.text === "complex") {
        if (!tokens.is("float"))
          throw new DiagnosticError(tokens.peek().at, "The parts of a complex number are floats.", {
            length: Math.max(1, tokens.peek().end - tokens.peek().at),
            hint: "Write `complex[float[64]]`.",
          });
        width = this.type().width;
      } else width = this.#expressions.expression();
      tokens.expect("]", "after the width of the type");
    }
    return { name: token.text, width, at: token.at, end: tokens.lastEnd };
  }

  /** Parses the type of a single value. */
  scalar(what: string): TypeNode {
    const { at, end, text } = this.#expressions.tokens.peek();
    if (text === "array")
      throw new DiagnosticError(at, `An array cannot be ${what}, which is a single value.`, {
        length: end - at,
      });
    return this.type();
  }

  #array({ at }: Token, access: "readonly" | "mutable" | null): TypeNode {
    const { tokens } = this.#expressions;
    tokens.expect("[", "after array", "An array is written `array[int[8], 4] a;`.");
    const next = tokens.peek();
    if (!ELEMENTS.includes(next.text))
      throw new DiagnosticError(next.at, `${describe(next)} cannot be the element of an array.`, {
        length: Math.max(1, next.end - next.at),
        hint: "Write a type, as in `array[int[8], 4] a;`.",
      });
    const element = this.type();
    tokens.expect(",", "after the element of the array");
    const sizes: ExpressionNode[] = [];
    let dimensions: ExpressionNode | null = null;
    const { at: first, text, end } = tokens.peek();
    if (text === "#dim") {
      if (!access)
        throw new DiagnosticError(first, "Only the parameter of a subroutine leaves its sizes open.", {
          length: end - first,
        });
      tokens.take();
      tokens.expect("=", "after #dim");
      dimensions = this.#expressions.expression();
    } else
      do {
        if (TYPE_NAMES.has(tokens.peek().text))
          throw new DiagnosticError(tokens.peek().at, "An array has one type of element; its sizes follow.", {
            length: 1,
          });
        sizes.push(this.#expressions.expression());
      } while (tokens.accept(",") && !tokens.is("]"));
    tokens.expect("]", "after the sizes of the array");
    const array = { element, sizes, dimensions, access };
    return { name: "array", width: null, array, at, end: tokens.lastEnd };
  }
}

/** Whether what begins with a type is a cast rather than a declaration. */
export const isCast = (source: string, at: number): boolean =>
  /^\w+\s*(?:\[(?:[^[\]]|\[[^\]]*\])*\]\s*)?\(/.test(source.slice(at, at + 256));
