import { errorAt } from "../diagnostics/diagnostic.ts";
import type { ExpressionNode, TypeNode } from "./ast.ts";
import { TYPE_NAMES } from "./keywords.ts";
import { describe, type Token } from "./token.ts";
import type { TokenStream } from "./token-stream.ts";

const WITHOUT_WIDTH = ["bool", "duration", "stretch"];
const ELEMENTS = ["int", "uint", "float", "angle", "complex", "bool", "duration", "bit"];

export class TypeParser {
  readonly #tokens: TokenStream;
  readonly #expression: () => ExpressionNode;

  constructor(tokens: TokenStream, expression: () => ExpressionNode) {
    this.#tokens = tokens;
    this.#expression = expression;
  }

  /** Parses a type, with its width in brackets; `access` is the word in front of the array of a parameter. */
  type(access: "readonly" | "mutable" | null = null): TypeNode {
    const tokens = this.#tokens;
    const token = tokens.peek();
    const { text: name, at } = token;
    if (!TYPE_NAMES.has(name))
      throw errorAt(
        token,
        `A type is missing here, before ${describe(token)}.`,
        "Write the type before the name, as in `int n` or `qubit q`. If nothing is returned, omit the arrow.",
      );
    tokens.take();
    if (name === "array") return this.#array(token, access);
    if (!tokens.is("[")) return { name, width: null, at, end: tokens.lastEnd };
    if (WITHOUT_WIDTH.includes(name)) tokens.refuse("[", `The type ${name} has no width.`);
    tokens.take();
    if (name === "complex" && !tokens.is("float"))
      throw errorAt(
        tokens.peek(),
        "The parts of a complex number are floats.",
        "Write `complex[float[64]]`.",
      );
    const width = name === "complex" ? this.type().width : this.#expression();
    tokens.expect("]", "after the width of the type");
    return { name, width, at, end: tokens.lastEnd };
  }

  scalar(what: string): TypeNode {
    this.#tokens.refuse("array", `An array cannot be ${what}, which is a single value.`);
    return this.type();
  }

  #array({ at }: Token, access: "readonly" | "mutable" | null): TypeNode {
    const tokens = this.#tokens;
    tokens.expect("[", "after array", "An array is written `array[int[8], 4] a;`.");
    const next = tokens.peek();
    if (!ELEMENTS.includes(next.text))
      throw errorAt(
        next,
        `${describe(next)} cannot be the element of an array.`,
        "Write a type, as in `array[int[8], 4] a;`.",
      );
    const element = this.type();
    tokens.expect(",", "after the element of the array");
    const sizes: ExpressionNode[] = [];
    let dimensions: ExpressionNode | null = null;
    if (!access) tokens.refuse("#dim", "Only the parameter of a subroutine leaves its sizes open.");
    if (tokens.accept("#dim")) {
      tokens.expect("=", "after #dim");
      dimensions = this.#expression();
    } else
      do {
        if (TYPE_NAMES.has(tokens.peek().text))
          throw errorAt(tokens.peek(), "An array has one type of element; its sizes follow.");
        sizes.push(this.#expression());
      } while (tokens.accept(",") && !tokens.is("]"));
    tokens.expect("]", "after the sizes of the array");
    const array = { element, sizes, dimensions, access };
    return { name: "array", width: null, array, at, end: tokens.lastEnd };
  }
}

/** Whether what begins with a type is a cast rather than a declaration. */
export const isCast = (source: string, at: number): boolean =>
  /^\w+\s*(?:\[(?:[^[\]]|\[[^\]]*\])*\]\s*)?\(/.test(source.slice(at, at + 256));
