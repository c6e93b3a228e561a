import { DiagnosticError } from "../diagnostics/diagnostic.ts";
import { type ExpressionNode, fitted, type ModifierNode, type NameNode, NONE } from "./ast.ts";
import type { Shape, StatementParser } from "./statement-parser.ts";
import type { Token } from "./token.ts";

/** The modifiers of gate calls. */
export const MODIFIERS: ReadonlySet<string> = new Set(["inv", "pow", "ctrl", "negctrl"]);

const ASSIGNMENTS: ReadonlySet<string> = new Set([
  ...["=", "+=", "-=", "*=", "/=", "%=", "**=", "&=", "|=", "^=", "<<=", ">>="],
]);
/** Other languages' words for `else if`. */
const ELSE_IFS: ReadonlySet<string> = new Set(["elif", "elseif", "elsif"]);
/** Whether an expression is a name, with or without indices. */
const isTarget = (node: ExpressionNode): boolean =>
  node.kind === "index" ? isTarget(node.base) : node.kind === "name";

/** Parses calls of gates, and what else begins with a name. */
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
      ? this.#parser.expressions.list(")", `after the arguments of ${name.name}`)
      : NONE;
    const duration = this.#parser.tokens.accept("[") ? this.#parser.expressions.expression() : null;
    if (duration) this.#parser.tokens.expect("]", "after the duration");
    const operands = isPhase && this.#parser.tokens.is(";") ? NONE : this.#parser.expressions.operands.list();
    this.#parser.semicolon(`after the call of ${name.name}`);
    return { kind: "call", name, modifiers: fitted(modifiers), args, duration, operands };
  }

  #modifier(): ModifierNode {
    const { text, at } = this.#parser.tokens.take();
    let argument: ExpressionNode | null = null;
    if (text === "inv" && this.#parser.tokens.is("("))
      throw new DiagnosticError(this.#parser.tokens.peek().at, "inv takes no argument.", { length: 1 });
    if (this.#parser.tokens.accept("(")) {
      argument = this.#parser.expressions.expression();
      this.#parser.tokens.expect(")", `after the argument of ${text}`);
    } else if (text === "pow")
      throw new DiagnosticError(at, "pow needs an exponent.", { length: 3, hint: "Write `pow(2) @ x q;`." });
    const next = this.#parser.tokens.peek();
    if (next.kind === "annotation") {
      this.#parser.tokens.rewind();
      this.#parser.tokens.lexer.offset = next.at + 1;
    } else this.#parser.tokens.expect("@", `after the modifier ${text}`, `Write \`${text} @ …\`.`);
    return { kind: text as ModifierNode["kind"], argument, at, end: this.#parser.tokens.lastEnd };
  }

  /** Parses what begins with a name that is no keyword: a gate call, an assignment or an expression. */
  named(): Shape {
    const { tokens, expressions } = this.#parser;
    const token = tokens.take();
    const next = tokens.peek().kind;
    if (token.text === "then" && next === "name")
      throw new DiagnosticError(token.at, "There is no `then`.", {
        length: 4,
        hint: "Leave it out: the statement follows the condition.",
      });
    if (next === "name" || next === "hardware")
      return this.#callOf(
        token,
        { kind: "name", name: token.text, at: token.at, end: token.end, depth: 1 },
        null,
      );
    if (ELSE_IFS.has(token.text) && tokens.is("("))
      throw new DiagnosticError(token.at, `There is no \`${token.text}\`.`, {
        length: token.text.length,
        hint: "Write `else if (…) { … }`.",
      });
    const value = expressions.afterName(token);
    const { text: operator, kind, at, end } = tokens.peek();
    if (kind === "symbol" && ASSIGNMENTS.has(operator)) {
      if (!isTarget(value))
        throw new DiagnosticError(at, `\`${operator}\` assigns, but a value precedes it, not a variable.`, {
          length: end - at,
          hint: operator === "=" ? "Write == to compare." : undefined,
        });
      tokens.take();
      if (this.#parser.isVersion2)
        throw new DiagnosticError(
          at,
          "Assignments are part of OpenQASM 3, and this program says that it is OpenQASM 2.",
          {
            length: end - at,
            hint: "Write `measure q -> c;` to measure, or begin the program with `OPENQASM 3.0;`.",
          },
        );
      const assigned = expressions.value();
      this.#parser.semicolon("after the assignment");
      return { kind: "assign", target: value, operator, value: assigned };
    }
    if (tokens.isOperandNext() || (value.kind === "call" && (kind === "name" || kind === "hardware"))) {
      const duration = value.kind === "index" && value.items.length === 1 ? value.items[0]! : null;
      const called = value.kind === "index" ? value.base : value;
      const isTimed = duration && duration.kind !== "range" && duration.kind !== "set";
      if ((called.kind === "name" || called.kind === "call") && (called === value || isTimed))
        return this.#callOf(token, called, isTimed ? duration : null);
    }
    if (operator === "++")
      throw new DiagnosticError(at, "`++` joins registers and arrays.", {
        length: 2,
        hint: "To add one, write `+= 1`.",
      });
    this.#parser.semicolon("at the end of the statement");
    return { kind: "expression", value };
  }

  /** Parses the operands of a call after its name and arguments. */
  #callOf(
    token: Token,
    called: ExpressionNode & { kind: "name" | "call" },
    duration: ExpressionNode | null,
  ): Shape {
    const operands = this.#parser.expressions.operands.list();
    const { text: name, at, end } = token;
    if (!duration && this.#parser.tokens.accept("->")) {
      const target = this.#parser.expressions.operands.one();
      this.#parser.semicolon("after the assignment");
      return {
        kind: "assign",
        target,
        operator: "=",
        value: this.#parser.expressions.callWith(called, operands),
      };
    }
    this.#parser.semicolon(`after the call of ${name}`);
    const args = called.kind === "call" ? called.args : NONE;
    return { kind: "call", name: { name, at, end }, modifiers: NONE, args, duration, operands };
  }
}

/** Parses what is done to qubits beside gates. */
export class OperationParser {
  readonly #parser: StatementParser;

  constructor(parser: StatementParser) {
    this.#parser = parser;
  }

  /** Parses what follows `measure`. */
  measure(): Shape {
    const { tokens, expressions, isVersion2 } = this.#parser;
    const operand = expressions.operands.one();
    if (tokens.is(","))
      throw new DiagnosticError(tokens.peek().at, "A measurement takes one qubit or register.", {
        length: 1,
        hint: "Measure a register as a whole, or each qubit in a separate statement.",
      });
    const target = tokens.accept("->") ? expressions.operands.one() : null;
    if (!target && isVersion2) tokens.expect("->", "after the measured qubit");
    this.#parser.semicolon("after the measurement");
    return { kind: "measure", operand, target };
  }

  /** Parses what follows `reset`. */
  reset(): Shape {
    const operand = this.#parser.expressions.operands.one();
    this.#parser.semicolon("after the reset");
    return { kind: "reset", operand };
  }

  /** Parses what follows `barrier`. */
  barrier(): Shape {
    return { kind: "barrier", operands: this.#operands("after the barrier") };
  }

  /** Parses what follows `nop`. */
  nop(): Shape {
    return { kind: "nop", operands: this.#operands("after the nop") };
  }

  /** Parses what follows `delay`. */
  delay(): Shape {
    const { tokens, expressions } = this.#parser;
    tokens.expect("[", "after delay, where the duration begins", "A delay is written `delay[100ns] q;`.");
    const duration = expressions.expression();
    tokens.expect("]", "after the duration");
    return { kind: "delay", duration, operands: this.#operands("after the delay") };
  }

  /** Parses what follows `box`. */
  box(): Shape {
    const { tokens, expressions } = this.#parser;
    const duration = tokens.accept("[") ? expressions.expression() : null;
    if (duration) tokens.expect("]", "after the duration");
    return { kind: "box", duration, body: this.#parser.block("the box") };
  }

  #operands(where: string) {
    const operands = this.#parser.tokens.is(";") ? NONE : this.#parser.expressions.operands.list();
    this.#parser.semicolon(where);
    return operands;
  }
}
