import { DiagnosticError, type Diagnostics } from "../diagnostics/diagnostic.ts";
import type { NameNode, NodeList, StatementNode } from "./ast.ts";
import { CalibrationParser } from "./calibration-parser.ts";
import { CallParser, MODIFIERS, OperationParser } from "./call-parser.ts";
import { ControlParser } from "./control-parser.ts";
import { DeclarationParser } from "./declaration-parser.ts";
import { ExpressionParser } from "./expression-parser.ts";
import { KEYWORDS_2, KEYWORDS_3, TYPE_NAMES, versionHint } from "./keywords.ts";
import { checkPragma } from "./pragmas.ts";
import { describe } from "./token.ts";
import type { TokenStream } from "./token-stream.ts";
import { isCast } from "./type-parser.ts";

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** A statement without its place. */
export type Shape = Without<StatementNode, "at" | "end">;

/** Names that stand for values although they are words of the language. */
const VALUES: ReadonlySet<string> = new Set(["true", "false", "durationof"]);

/** Parses statements by recursive descent. A faulty statement is reported and left out. */
export class StatementParser {
  readonly tokens: TokenStream;
  readonly #diagnostics: Diagnostics;
  readonly expressions: ExpressionParser;
  readonly declarations = new DeclarationParser(this);
  readonly #calls = new CallParser(this);
  readonly #control = new ControlParser(this);
  readonly #calibrations = new CalibrationParser(this);
  readonly #operations = new OperationParser(this);
  readonly #keywords: ReadonlySet<string>;
  readonly isVersion2: boolean;
  /** Gates that a program in OpenQASM 2 names by a word of OpenQASM 3. */
  readonly #own = new Set<string>();

  constructor(tokens: TokenStream, diagnostics: Diagnostics, isVersion2: boolean) {
    this.tokens = tokens;
    this.#diagnostics = diagnostics;
    this.expressions = new ExpressionParser(tokens, isVersion2, of => this.block(of));
    this.#keywords = isVersion2 ? KEYWORDS_2 : KEYWORDS_3;
    this.isVersion2 = isVersion2;
  }

  /** Parses a statement; null stands for one that was reported and left out. */
  statement(): StatementNode | null {
    const { tokens } = this;
    const { depth, braces } = tokens;
    try {
      tokens.deepen();
      const { at } = tokens.peek();
      return { ...this.#shape(), at, end: tokens.lastEnd } as StatementNode;
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      this.#diagnostics.report(error);
      tokens.recover(braces);
      return null;
    } finally {
      tokens.depth = depth;
    }
  }

  #shape(): Shape {
    const tokens = this.tokens;
    const { kind, text, at } = tokens.peek();
    if (kind === "pragma" || kind === "annotation") return this.#remark();
    if (tokens.accept(";"))
      throw new DiagnosticError(at, "This ; ends no statement.", { length: 1, hint: "Leave it out." });
    if (this.isVersion2) this.#checkVersion2();
    if (text === "{") return { kind: "block", body: this.block("the block") };
    if (text === "}") {
      tokens.take();
      throw new DiagnosticError(at, "This } closes nothing.", { length: 1 });
    }
    if (kind !== "name" || VALUES.has(text)) return this.#expressionStatement();
    if (!this.isVersion2 && (MODIFIERS.has(text) || text === "gphase")) return this.#calls.gateCall();
    if (!this.#keywords.has(text)) return this.#calls.named();
    if (TYPE_NAMES.has(text))
      return isCast(tokens.lexer.source, at)
        ? this.#expressionStatement()
        : this.declarations.classical(null);
    tokens.take();
    return this.#keyword(text, at);
  }

  /** Refuses what OpenQASM 3 alone has. */
  #checkVersion2(): void {
    const { kind, text, at, end } = this.tokens.peek();
    const isNew = KEYWORDS_3.has(text) && !this.#keywords.has(text) && !this.#own.has(text);
    if (kind === "end" || text === "}" || (kind === "name" && !isNew)) return;
    const what =
      kind === "name"
        ? `\`${text}\` is a word of`
        : `A statement that begins with ${describe(this.tokens.peek())} is part of`;
    throw new DiagnosticError(at, `${what} OpenQASM 3, and this program says that it is OpenQASM 2.`, {
      length: Math.max(1, end - at),
      hint: versionHint(text),
    });
  }

  #keyword(word: string, at: number): Shape {
    const tokens = this.tokens;
    switch (word) {
      case "include":
        return this.declarations.include();
      case "OPENQASM":
        throw new DiagnosticError(at, "The version stands once, as the first statement of the program.", {
          length: word.length,
        });
      case "qubit":
      case "qreg":
      case "creg":
        return this.declarations.register(word, at);
      case "const":
        return this.declarations.classical("const");
      case "input":
      case "output":
        return this.declarations.classical(word);
      case "let": {
        const name = this.name("the alias");
        tokens.expect("=", `after let ${name.name}`);
        const value = this.expressions.concatenation();
        this.semicolon(`after the alias ${name.name}`);
        return { kind: "alias", name, value };
      }
      case "gate":
      case "opaque":
        if (this.isVersion2 && KEYWORDS_3.has(tokens.peek().text)) this.#own.add(tokens.peek().text);
        return this.declarations.gate(word === "opaque");
      case "def":
        return this.declarations.subroutine();
      case "measure":
      case "reset":
      case "barrier":
      case "nop":
      case "delay":
      case "box":
        return this.#operations[word]();
      case "if":
        return this.#control.if();
      case "else":
        throw new DiagnosticError(at, "This else follows no if.", { length: word.length });
      case "while":
        return this.#control.while();
      case "for":
        return this.#control.for();
      case "switch":
        return this.#control.switch();
      case "extern":
        return this.declarations.extern();
      case "return": {
        const value = tokens.is(";") ? null : this.expressions.value();
        this.semicolon("after the return");
        return { kind: "return", value };
      }
      case "break":
      case "continue":
      case "end":
        this.semicolon(`after ${word}`);
        return { kind: word };
      case "defcalgrammar":
      case "cal":
      case "defcal":
        return this.#calibrations[word](at);
      default:
        throw new DiagnosticError(at, `\`${word}\` cannot begin a statement.`, { length: word.length });
    }
  }

  /** Takes the semicolon. Where the next token is on another line, a missing one is reported and reading continues. */
  semicolon(where: string): void {
    if (this.tokens.is(";") || !this.tokens.isAtLineEnd()) this.tokens.expect(";", where);
    else
      this.#diagnostics.report(
        new DiagnosticError(this.tokens.lastEnd, `\`;\` is missing ${where}.`, { length: 1 }),
      );
  }

  /** Parses a name that is declared. */
  name(what: string, hint?: string): NameNode {
    const token = this.tokens.peek();
    const length = Math.max(1, token.end - token.at);
    if (token.kind !== "name")
      throw new DiagnosticError(token.at, `The name of ${what} is missing here, before ${describe(token)}.`, {
        length,
        hint,
      });
    if (this.#keywords.has(token.text))
      throw new DiagnosticError(
        token.at,
        `\`${token.text}\` is a word of the language and cannot name ${what}.`,
        {
          length,
          hint,
        },
      );
    this.tokens.take();
    return { name: token.text, at: token.at, end: token.end };
  }

  /** Parses a list of names that are declared. */
  names(what: string, hint: string): NameNode[] {
    const names = [this.name(what, hint)];
    while (this.tokens.accept(",") && !this.tokens.is("{") && !this.tokens.is(")"))
      names.push(this.name(what, hint));
    return names;
  }

  /** Parses statements in braces. */
  block(of: string, hint?: string): NodeList {
    const open = this.tokens.expect("{", `where ${of} begins`, hint);
    const body: StatementNode[] = [];
    while (!this.tokens.is("}")) {
      if (this.tokens.peek().kind === "end")
        throw new DiagnosticError(open.at, `The { that begins ${of} is never closed.`, {
          length: 1,
          isFatal: true,
        });
      const statement = this.statement();
      if (statement) body.push(statement);
    }
    this.tokens.take();
    return body;
  }

  /** Parses a pragma, or an annotation, which belongs to the statement after it. */
  #remark(): Shape {
    const { tokens } = this;
    const token = tokens.take();
    const { kind, text, at, end } = token;
    const next = tokens.peek();
    if (
      kind === "annotation" &&
      (next.kind === "end" || next.kind === "pragma" || next.text === "}" || next.text === "{")
    )
      throw new DiagnosticError(at, "No statement follows this annotation.", { length: end - at });
    checkPragma(token, next);
    return { kind: "verbatim", text: text.trimEnd() };
  }

  #expressionStatement(): Shape {
    const value = this.expressions.expression();
    this.semicolon("at the end of the statement");
    return { kind: "expression", value };
  }
}
