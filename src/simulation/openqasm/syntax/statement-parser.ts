import { DiagnosticError, errorAt } from "../diagnostics/diagnostic.ts";
import type { StatementNode } from "./ast.ts";
import { parseCal, parseDefcal, parseDefcalgrammar } from "./calibration-parser.ts";
import { MODIFIERS, parseGateCall, parseNamed } from "./call-parser.ts";
import { parseFor, parseIf, parseSwitch, parseWhile } from "./control-parser.ts";
import {
  parseClassical,
  parseExtern,
  parseGate,
  parseInclude,
  parseRegister,
  parseSubroutine,
} from "./declaration-parser.ts";
import { KEYWORDS_3, TYPE_NAMES, versionHint } from "./keywords.ts";
import { parseBox, parseDelay, parseMeasure, parseOperands } from "./operation-parser.ts";
import { checkPragma } from "./pragmas.ts";
import { type Shape, StatementContext } from "./statement-context.ts";
import { describe, type Token } from "./token.ts";
import { isCast } from "./type-parser.ts";

/** Names that stand for values although they are words of the language. */
const VALUES: ReadonlySet<string> = new Set(["true", "false", "durationof"]);

/** Parses statements by recursive descent. A faulty statement is reported and left out. */
export class StatementParser extends StatementContext {
  /** Gates that a program in OpenQASM 2 names by a word of OpenQASM 3. */
  readonly #own = new Set<string>();

  override statement(): StatementNode | null {
    const { tokens } = this;
    const { depth, braces } = tokens;
    try {
      tokens.deepen();
      const { at } = tokens.peek();
      return { ...this.#shape(), at, end: tokens.lastEnd } as StatementNode;
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      this.diagnostics.report(error);
      tokens.recover(braces);
      return null;
    } finally {
      tokens.depth = depth;
    }
  }

  #shape(): Shape {
    const { tokens } = this;
    const token = tokens.peek();
    const { kind, text, at } = token;
    if (kind === "pragma" || kind === "annotation") return this.#remark();
    if (tokens.accept(";")) throw errorAt(token, "This ; ends no statement.", "Leave it out.");
    if (this.isVersion2) this.#checkVersion2();
    if (text === "{") return { kind: "block", body: this.block("the block") };
    if (text === "}") throw errorAt(tokens.take(), "This } closes nothing.");
    if (kind !== "name" || VALUES.has(text)) return this.#expressionStatement();
    if (!this.isVersion2 && (MODIFIERS.has(text) || text === "gphase")) return parseGateCall(this);
    if (!this.keywords.has(text)) return parseNamed(this);
    if (TYPE_NAMES.has(text))
      return isCast(tokens.lexer.source, at) ? this.#expressionStatement() : parseClassical(this, null);
    return this.#keyword(tokens.take());
  }

  #checkVersion2(): void {
    const token = this.tokens.peek();
    const { kind, text } = token;
    const isNew = KEYWORDS_3.has(text) && !this.keywords.has(text) && !this.#own.has(text);
    if (kind === "end" || text === "}" || (kind === "name" && !isNew)) return;
    const what =
      kind === "name"
        ? `\`${text}\` is a word of`
        : `A statement that begins with ${describe(token)} is part of`;
    const message = `${what} OpenQASM 3, and this program says that it is OpenQASM 2.`;
    throw errorAt(token, message, versionHint(text));
  }

  #keyword(token: Token): Shape {
    const { tokens, expressions } = this;
    const { text: word, at } = token;
    switch (word) {
      case "include":
        return parseInclude(this);
      case "OPENQASM":
        throw errorAt(token, "The version stands once, as the first statement of the program.");
      case "qubit":
      case "qreg":
      case "creg":
        return parseRegister(this, word, at);
      case "const":
      case "input":
      case "output":
        return parseClassical(this, word);
      case "let": {
        const name = this.name("the alias");
        tokens.expect("=", `after let ${name.name}`);
        const value = expressions.concatenation();
        this.semicolon(`after the alias ${name.name}`);
        return { kind: "alias", name, value };
      }
      case "gate":
      case "opaque":
        if (this.isVersion2 && KEYWORDS_3.has(tokens.peek().text)) this.#own.add(tokens.peek().text);
        return parseGate(this, word === "opaque");
      case "def":
        return parseSubroutine(this);
      case "extern":
        return parseExtern(this);
      case "measure":
        return parseMeasure(this);
      case "reset": {
        const operand = expressions.operands.one();
        this.semicolon("after the reset");
        return { kind: "reset", operand };
      }
      case "barrier":
      case "nop":
        return { kind: word, operands: parseOperands(this, `after the ${word}`) };
      case "delay":
        return parseDelay(this);
      case "box":
        return parseBox(this);
      case "if":
        return parseIf(this);
      case "else":
        throw errorAt(token, "This else follows no if.");
      case "while":
        return parseWhile(this);
      case "for":
        return parseFor(this);
      case "switch":
        return parseSwitch(this);
      case "return": {
        const value = tokens.is(";") ? null : expressions.value();
        this.semicolon("after the return");
        return { kind: "return", value };
      }
      case "break":
      case "continue":
      case "end":
        this.semicolon(`after ${word}`);
        return { kind: word };
      case "defcalgrammar":
        return parseDefcalgrammar(this, at);
      case "cal":
        return parseCal(this, at);
      case "defcal":
        return parseDefcal(this, at);
      default:
        throw errorAt(token, `\`${word}\` cannot begin a statement.`);
    }
  }

  /** Parses a pragma, or an annotation, which belongs to the statement after it. */
  #remark(): Shape {
    const token = this.tokens.take();
    const next = this.tokens.peek();
    const isLast = next.kind === "end" || next.kind === "pragma" || next.text === "}" || next.text === "{";
    if (token.kind === "annotation" && isLast) throw errorAt(token, "No statement follows this annotation.");
    checkPragma(token, next);
    return { kind: "verbatim", text: token.text.trimEnd() };
  }

  #expressionStatement(): Shape {
    const value = this.expressions.expression();
    this.semicolon("at the end of the statement");
    return { kind: "expression", value };
  }
}
