import type { SourceSpan } from "../../source-text.ts";
import { errorAt, tooMany } from "../diagnostics/diagnostic.ts";
import { describe, Lexer, type Token } from "./lexer.ts";
import type { CompileLimits } from "./limits.ts";

export const TYPE_NAMES: ReadonlySet<string> = new Set(
  "bit bool int uint float angle complex duration stretch array".split(" "),
);

const COMMON = "include qreg creg gate opaque measure reset barrier if".split(" ");
const STATEMENTS = "qubit const let input output def extern return for while else switch break continue end";
const TIMING = "delay box nop cal defcal defcalgrammar durationof";
const OTHERS = "in readonly mutable void OPENQASM case default inv pow ctrl negctrl gphase true false im";

/** Returns the hint for a word of OpenQASM 3 in a program that says it is OpenQASM 2. */
export function versionHint(word: string): string {
  const old = word === "qubit" ? "qreg q[2];" : word === "bit" ? "creg c[2];" : undefined;
  return `${old ? `Write \`${old}\`, or begin` : "Begin"} the program with \`OPENQASM 3.0;\`.`;
}

export const KEYWORDS_2: ReadonlySet<string> = new Set(COMMON);
export const KEYWORDS_3: ReadonlySet<string> = new Set([
  ...[STATEMENTS, TIMING, OTHERS].flatMap(words => words.split(" ")),
  ...[...COMMON, ...TYPE_NAMES],
]);

const WORDS: ReadonlyMap<string, string> = new Map([
  ["and", "Write && for `and`."],
  ["or", "Write || for `or`."],
  [".", "OpenQASM has no members of objects: a gate is called as in `h q[0];`, and the number π is `pi`."],
  [":", "Put blocks in braces, without a colon."],
  ["then", "Remove `then` and put blocks in braces."],
]);

/** Returns a hint for syntax of other languages, by the expected token, the one that was found and the word `before` it. */
export function habitHint(wanted: string, found: string, before: string): string | undefined {
  if (before === "not") return "Write ! for `not`.";
  if (wanted === "(" && (before === "if" || before === "while"))
    return `Put the condition in parentheses, as in \`${before} (c == 1) { … }\`.`;
  if (wanted === ";" && found === "@") return "The modifiers of a gate are inv, pow(k), ctrl and negctrl.";
  if (wanted === ";" && found === "=") return "A declaration begins with a type, as in `int x = 5;`.";
  if (wanted === ";" && found === "(")
    return "Put indices in brackets, as in `q[0]`; a subroutine begins with `def`, as in `def f(qubit q) { … }`.";
  if (wanted === ";" && found === ",")
    return "Leave the comma out: qubits follow the parenthesis, and each variable has a separate declaration.";
  return WORDS.get(found);
}

/** Tokens with one of look-ahead, and the level of nesting. */
export class TokenStream {
  readonly lexer: Lexer;
  readonly #maxDepth: number;
  #ahead: Token | null = null;
  /** Levels of blocks and expressions that are open. */
  depth = 0;
  braces = 0;
  /** Offset after the token that was taken last. */
  lastEnd = 0;

  constructor(source: string, limits: CompileLimits, span?: SourceSpan) {
    this.lexer = new Lexer(source, limits.maxTokens, span);
    this.#maxDepth = limits.maxDepth;
  }

  peek(): Token {
    this.#ahead ??= this.lexer.next();
    return this.#ahead;
  }

  take(): Token {
    const token = this.peek();
    this.#ahead = null;
    this.lastEnd = token.end;
    if (token.kind === "symbol") {
      if (token.text === "{") this.braces++;
      else if (token.text === "}") this.braces--;
    }
    return token;
  }

  is(text: string): boolean {
    const token = this.peek();
    return token.text === text && (token.kind === "symbol" || token.kind === "name");
  }

  accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.take();
    return true;
  }

  /** Takes a symbol or word that must come next; `where` ends the sentence of the message. */
  expect(text: string, where: string, hint?: string): Token {
    if (this.is(text)) return this.take();
    const found = this.peek();
    throw errorAt(
      text === ";" ? { at: this.lastEnd, end: this.lastEnd } : found,
      `\`${text}\` is missing ${where}, before ${describe(found)}.`,
      hint ?? habitHint(text, found.text, this.before()),
    );
  }

  /** Refuses a symbol or a word that must not come next. */
  refuse(text: string, message: string, hint?: string): void {
    if (this.is(text)) throw errorAt(this.peek(), message, hint);
  }

  /** Returns the word that was taken last, as far as eight characters of it go. */
  before(): string {
    return /\w*$/.exec(this.lexer.source.slice(Math.max(0, this.lastEnd - 8), this.lastEnd))![0];
  }

  isAtLineEnd(): boolean {
    return this.lexer.source.slice(this.lastEnd, this.peek().at).includes("\n");
  }

  /** Whether a name or a hardware qubit follows on the same line. */
  isOperandNext(): boolean {
    const { kind } = this.peek();
    return (kind === "name" || kind === "hardware") && !this.isAtLineEnd();
  }

  peekOffset(): number {
    return this.#ahead?.at ?? this.lexer.offset;
  }

  /** Rewinds the stream to the beginning of the next token, for a reader of the source itself. */
  rewind(): void {
    if (this.#ahead) this.lexer.offset = this.#ahead.at;
    this.#ahead = null;
  }

  /** Goes one level deeper; the caller sets {@link depth} back. */
  deepen(): void {
    if (++this.depth > this.#maxDepth) this.checkDepth(this.depth, this.lexer.offset);
  }

  checkDepth(depth: number, at: number): void {
    if (depth > this.#maxDepth)
      throw tooMany(Math.min(at, this.lexer.end), "The program nests", this.#maxDepth, "levels deep here");
  }

  /**
   * Moves after the end of a faulty statement: its semicolon, or the brace that closes what it opened. `braces` were
   * open where it began. A parenthesis that is the error itself is passed over as a whole.
   */
  recover(braces: number): void {
    let parentheses = this.lexer.source[this.peekOffset()] === "(" ? 0 : Number.NEGATIVE_INFINITY;
    this.lexer.isLenient = true;
    try {
      for (;;) {
        const { kind, text } = this.peek();
        if (kind === "end" || (this.braces <= braces && kind === "symbol" && text === "}")) return;
        this.take();
        if (kind !== "symbol") continue;
        if (text === "(") parentheses++;
        else if (text === ")") parentheses--;
        else if (text === "}" && this.braces <= braces) return;
        else if (text === ";" && this.braces <= braces && parentheses <= 0) return;
      }
    } finally {
      this.lexer.isLenient = false;
    }
  }
}
