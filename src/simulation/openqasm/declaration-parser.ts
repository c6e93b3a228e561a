import type { ExpressionNode, NameNode, ParameterNode } from "./ast.ts";
import { Fault } from "./diagnostic.ts";
import type { Shape, StatementParser } from "./statement-parser.ts";

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
      throw new Fault(token.at, "The name of the file is missing here.", {
        hint: 'Write `include "stdgates.inc";`.',
      });
    this.#parser.semicolon("behind the include");
    return { kind: "include", file: token.text.slice(1, -1) };
  }

  /** Parses what follows `qubit`, `qreg` or `creg`. */
  register(word: string, at: number): Shape {
    const before = word === "qubit" ? this.#size() : null;
    const name = this.#parser.name("the register");
    const size = word === "qubit" ? before : this.#size();
    if (word === "qubit" && this.#parser.tokens.is("["))
      throw new Fault(this.#parser.tokens.peek().at, "The size of a qubit register stands before its name.", {
        length: 1,
        hint: `Write \`qubit[n] ${name.name};\`.`,
      });
    this.#parser.semicolon(`behind the declaration of ${name.name}`);
    if (word !== "creg") return { kind: "quantum", name, size };
    return {
      kind: "classical",
      type: { name: "bit", width: size, at, end: this.#parser.tokens.lastEnd },
      name,
      value: null,
      isConst: false,
    };
  }

  #size(): ExpressionNode | null {
    if (!this.#parser.tokens.accept("[")) return null;
    const size = this.#parser.expressions.expression();
    this.#parser.tokens.expect("]", "behind the size");
    return size;
  }

  /** Parses the declaration of a classical variable or constant. */
  classical(isConst: boolean): Shape {
    const type = this.#parser.expressions.type();
    const name = this.#parser.name("the variable");
    const value = this.#parser.tokens.accept("=") ? this.#parser.expressions.value() : null;
    if (isConst && !value)
      throw new Fault(name.at, `The constant ${name.name} needs a value.`, { length: name.name.length });
    this.#parser.semicolon(`behind the declaration of ${name.name}`);
    return { kind: "classical", type, name, value, isConst };
  }

  /** Parses what follows `gate` or `opaque`. */
  gate(isOpaque: boolean): Shape {
    const name = this.#parser.name("the gate");
    let params: NameNode[] = [];
    if (this.#parser.tokens.accept("(")) {
      if (!this.#parser.tokens.is(")")) params = this.#parser.names("the parameter");
      this.#parser.tokens.expect(")", "behind the parameters");
    }
    const qubits = this.#parser.names("the qubit");
    if (!isOpaque)
      return { kind: "gate", name, params, qubits, body: this.#parser.block(`the gate ${name.name}`) };
    this.#parser.semicolon("behind the declaration");
    return { kind: "gate", name, params, qubits, body: null };
  }

  /** Parses what follows `def`. */
  subroutine(): Shape {
    const name = this.#parser.name("the subroutine");
    this.#parser.tokens.expect("(", `behind the name of the subroutine`);
    const params: ParameterNode[] = [];
    while (!this.#parser.tokens.is(")")) {
      const { at, text } = this.#parser.tokens.peek();
      if (text === "readonly" || text === "mutable")
        throw new Fault(at, "Arrays are not supported yet.", { length: text.length });
      const type = this.#parser.expressions.type();
      const param = this.#parser.name("the parameter");
      params.push({ ...param, type });
      if (!this.#parser.tokens.accept(",")) break;
    }
    this.#parser.tokens.expect(")", "behind the parameters");
    const result = this.#parser.tokens.accept("->") ? this.#parser.expressions.type() : null;
    return { kind: "def", name, params, result, body: this.#parser.block(`the subroutine ${name.name}`) };
  }
}
