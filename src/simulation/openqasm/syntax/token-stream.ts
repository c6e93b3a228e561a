import type { SourceSpan } from "../../source-text.ts";
import { errorAt, tooMany } from "../diagnostics/diagnostic.ts";
import { habitHint } from "./keywords.ts";
import { Lexer } from "./lexer.ts";
import type { CompileLimits } from "./limits.ts";
import { describe, type Token } from "./token.ts";

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
