import { Fault } from "../diagnostics/diagnostic.ts";
import type { ExpressionNode, ModifierNode, NameNode } from "./ast.ts";
import type { Shape, StatementParser } from "./statement-parser.ts";

/** The modifiers of gate calls. */
export const MODIFIERS: ReadonlySet<string> = new Set(["inv", "pow", "ctrl", "negctrl"]);

/** Parses calls of gates. */
export class CallParser {
  readonly #parser: StatementParser;

  constructor(parser: StatementParser) {
    this.#parser = parser;
  }

  /** Parses the call of a gate, with its modifiers. */
  gateCall(): Shape {
    const modifiers: ModifierNode[] = [];
    while (MODIFIERS.has(this.#parser.tokens.peek().text) && !this.#parser.isVersion2) {
      modifiers.push(this.#modifier());
      this.#parser.tokens.checkDepth(modifiers.length, this.#parser.tokens.lastEnd);
    }
    const { text, at, end } = this.#parser.tokens.peek();
    const isPhase = text === "gphase" && this.#parser.tokens.accept(text);
    const name: NameNode = isPhase ? { name: text, at, end } : this.#parser.name("a gate");
    const args = this.#parser.tokens.accept("(")
      ? this.#parser.expressions.list(")", `behind the arguments of ${name.name}`)
      : [];
    const duration = this.#parser.tokens.accept("[") ? this.#parser.expressions.expression() : null;
    if (duration) this.#parser.tokens.expect("]", "behind the duration");
    const operands = isPhase && this.#parser.tokens.is(";") ? [] : this.#parser.expressions.operands();
    this.#parser.semicolon(`behind the call of ${name.name}`);
    return { kind: "call", name, modifiers, args, duration, operands };
  }

  #modifier(): ModifierNode {
    const { text, at } = this.#parser.tokens.take();
    let argument: ExpressionNode | null = null;
    if (text === "inv" && this.#parser.tokens.is("("))
      throw new Fault(this.#parser.tokens.peek().at, "inv takes no argument.", { length: 1 });
    if (this.#parser.tokens.accept("(")) {
      argument = this.#parser.expressions.expression();
      this.#parser.tokens.expect(")", `behind the argument of ${text}`);
    } else if (text === "pow")
      throw new Fault(at, "pow needs an exponent.", { length: 3, hint: "Write `pow(2) @ x q;`." });
    const next = this.#parser.tokens.peek();
    if (next.kind === "annotation") {
      this.#parser.tokens.rewind();
      this.#parser.tokens.lexer.offset = next.at + 1;
    } else this.#parser.tokens.expect("@", `behind the modifier ${text}`);
    return { kind: text as ModifierNode["kind"], argument, at, end: this.#parser.tokens.lastEnd };
  }
}
