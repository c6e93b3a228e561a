import { DiagnosticError } from "../diagnostics/diagnostic.ts";
import type { ExpressionNode, NameNode, ParameterNode, TypeNode } from "./ast.ts";
import type { Shape, StatementParser } from "./statement-parser.ts";

const GATE_HINT = "A gate is defined as in `gate g(theta) a, b { … }`: without types or sizes.";

/** Parses the declarations of registers, variables, gates and subroutines. */
export class DeclarationParser {
  readonly #parser: StatementParser;

  constructor(parser: StatementParser) {
    this.#parser = parser;
  }

  /** Parses what follows `include`. */
  include(): Shape {
    const token = this.#parser.tokens.take();
    if (token.kind !== "string")
      throw new DiagnosticError(token.at, "The name of the file is missing here.", {
        hint: 'Write `include "stdgates.inc";`.',
      });
    this.#parser.semicolon("after the include");
    return { kind: "include", file: token.text.slice(1, -1) };
  }

  /** Parses what follows `qubit`, `qreg` or `creg`. */
  register(word: string, at: number): Shape {
    const before = word === "qubit" ? this.#size() : null;
    if (this.#parser.tokens.is("("))
      throw new DiagnosticError(
        this.#parser.tokens.peek().at,
        "Expected the size of a register in brackets.",
        {
          length: 1,
          hint: word === "qubit" ? "Write `qubit[2] q;`." : `Write \`${word} name[2];\`.`,
        },
      );
    const name = this.#parser.name(
      "the register",
      `Write \`${word === "qubit" ? "qubit[n] q" : `${word} name[n]`};\`.`,
    );
    const size = word === "qubit" ? before : this.#size();
    if (word === "qubit" && this.#parser.tokens.is("["))
      throw new DiagnosticError(
        this.#parser.tokens.peek().at,
        "The size of a qubit register comes before its name.",
        {
          length: 1,
          hint: `Write \`qubit[n] ${name.name};\`.`,
        },
      );
    this.#parser.semicolon(`after the declaration of ${name.name}`);
    if (word !== "creg") return { kind: "quantum", name, size };
    return {
      kind: "classical",
      type: { name: "bit", width: size, at, end: this.#parser.tokens.lastEnd },
      name,
      value: null,
      modifier: null,
    };
  }

  #size(): ExpressionNode | null {
    if (!this.#parser.tokens.accept("[")) return null;
    const size = this.#parser.expressions.expression();
    this.#parser.tokens.expect("]", "after the size");
    return size;
  }

  /** Parses the declaration of a classical variable, after the word that says what kind of one it is. */
  classical(modifier: "const" | "input" | "output" | null): Shape {
    const { tokens, expressions } = this.#parser;
    const { at, text } = tokens.peek();
    if (modifier && (text === "creg" || text === "qreg" || text === "qubit"))
      throw new DiagnosticError(
        at,
        text === "creg" ? `A creg is no ${modifier}.` : `Qubits are no ${modifier}.`,
        {
          length: text.length,
          hint: text === "creg" ? `Write \`${modifier} bit[n] …;\`.` : undefined,
        },
      );
    const type = modifier === "const" ? expressions.types.scalar("a constant") : expressions.types.type();
    const name = this.#parser.name("the variable");
    if (modifier !== null && modifier !== "const" && tokens.is("="))
      throw new DiagnosticError(
        tokens.peek().at,
        modifier === "input"
          ? `The input ${name.name} takes its value from outside, not from the program.`
          : `The output ${name.name} is declared without a value; assign it in a separate statement.`,
        { length: 1 },
      );
    const value = tokens.accept("=") ? expressions.value(true) : null;
    if (modifier === "const" && !value)
      throw new DiagnosticError(name.at, `The constant ${name.name} needs a value.`, {
        length: name.name.length,
      });
    if (tokens.is("["))
      throw new DiagnosticError(tokens.peek().at, "The width of a type comes before the name.", {
        length: 1,
        hint: `Write \`${type.name}[n] ${name.name};\`.`,
      });
    this.#parser.semicolon(`after the declaration of ${name.name}`);
    return { kind: "classical", type, name, value, modifier };
  }

  /** Parses what follows `gate` or `opaque`. */
  gate(isOpaque: boolean): Shape {
    const name = this.#parser.name("the gate");
    let params: NameNode[] = [];
    if (this.#parser.tokens.accept("(")) {
      if (!this.#parser.tokens.is(")")) params = this.#parser.names("the parameter", GATE_HINT);
      this.#parser.tokens.expect(")", "after the parameters", GATE_HINT);
    }
    const qubits = this.#parser.names("the qubit", GATE_HINT);
    if (!isOpaque)
      return {
        kind: "gate",
        name,
        params,
        qubits,
        body: this.#parser.block(`the gate ${name.name}`, GATE_HINT),
      };
    this.#parser.semicolon("after the declaration");
    return { kind: "gate", name, params, qubits, body: null };
  }

  /** Parses what follows `def`. */
  subroutine(): Shape {
    const name = this.#parser.name("the subroutine");
    this.#parser.tokens.expect("(", `after the name of the subroutine`);
    const params: ParameterNode[] = [];
    while (!this.#parser.tokens.is(")")) {
      params.push(this.parameter());
      if (!this.#parser.tokens.accept(",")) break;
    }
    this.#parser.tokens.expect(")", "after the parameters");
    const result = this.#result();
    return { kind: "def", name, params, result, body: this.#parser.block(`the subroutine ${name.name}`) };
  }

  /** Parses what follows `extern`. */
  extern(): Shape {
    const { tokens } = this.#parser;
    const name = this.#parser.name("the function");
    tokens.expect("(", "after the name of the function");
    const params: TypeNode[] = [];
    while (!tokens.is(")")) {
      params.push(this.#parameterType());
      if (!tokens.accept(",")) break;
    }
    tokens.expect(")", "after the types of the parameters");
    const result = this.#result();
    this.#parser.semicolon("after the declaration");
    return { kind: "extern", name, params, result };
  }

  #result(): TypeNode | null {
    const { tokens } = this.#parser;
    if (tokens.is(":"))
      throw new DiagnosticError(
        tokens.peek().at,
        "`->` or `{` is missing after the parameters, before `:`.",
        {
          length: 1,
          hint: "A return type follows an arrow, as in `-> int`. Put blocks in braces, without a colon.",
        },
      );
    return tokens.accept("->") ? this.#parser.expressions.types.scalar("what a subroutine returns") : null;
  }

  #parameterType(): TypeNode {
    const { tokens, expressions } = this.#parser;
    const { at, text } = tokens.peek();
    if (text === "readonly" || text === "mutable") {
      tokens.take();
      if (!tokens.is("array"))
        throw new DiagnosticError(at, `Only an array is ${text}.`, {
          length: text.length,
          hint: "Leave the word out: a single value is passed as a copy.",
        });
      return expressions.types.type(text);
    }
    if (text !== "qubit" && text !== "qreg" && text !== "creg") {
      const type = expressions.types.type();
      if (type.array)
        throw new DiagnosticError(at, "An array as a parameter is either readonly or mutable.", {
          length: text.length,
          hint: "Write `readonly array[…]` or `mutable array[…]`.",
        });
      return type;
    }
    tokens.take();
    const width = text === "qubit" || tokens.is("[") ? this.#size() : null;
    return { name: text === "creg" ? "bit" : "qubit", width, at, end: tokens.lastEnd };
  }

  /** Parses a parameter of a subroutine. */
  parameter(): ParameterNode {
    const isOld = this.#parser.tokens.is("qreg") || this.#parser.tokens.is("creg");
    const type = this.#parameterType();
    const name = this.#parser.name("the parameter");
    return { ...name, type: isOld ? { ...type, width: this.#size() } : type };
  }
}
