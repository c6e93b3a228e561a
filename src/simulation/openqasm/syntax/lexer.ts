import { errorAt, fatalAt, tooMany } from "../diagnostics/diagnostic.ts";

/** Kinds of tokens; `line` is the rest of a line after a pragma or an annotation. */
export type TokenKind =
  | ("name" | "integer" | "float" | "imaginary" | "duration" | "string" | "hardware")
  | ("annotation" | "pragma" | "symbol" | "end");

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

export function describe(token: Token): string {
  if (token.kind === "end") return "the end of the program";
  const text = token.text.length > 24 ? `${token.text.slice(0, 24)}…` : token.text;
  return `\`${text}\``;
}

const SPACE = /(?:[ \t\r\n\f\v\u00a0]+|\/\/[^\n]*)+/y;
const NAME = /(?!pragma[ \t])[\p{L}\p{Nl}_][\p{L}\p{Nl}\d_]*/uy;
const NUMBER =
  /0[xX][0-9a-fA-F]+(?:_[0-9a-fA-F]+)*|0o[0-7]+(?:_[0-7]+)*|0[bB][01]+(?:_[01]+)*|(?:\d+(?:_\d+)*\.(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*|\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?/y;
const UNIT = /[ \t]*(dt|ns|us|µs|μs|ms|s|im)(?![\p{L}\p{Nd}_])/uy;
/** The tokens other than numbers, by what they look like. */
const PATTERNS: readonly (readonly [TokenKind, RegExp])[] = [
  ["name", NAME],
  ["annotation", /@[\p{L}_][^\n]*/uy],
  ["symbol", /\*\*=|<<=|>>=|->|&&|\|\||<<|>>|\*\*|\+\+|[=!<>+\-*/%&|^~]=|[[\]{}():;.,=+\-*/%|&^~!<>@]/y],
  ["symbol", /#dim(?![\p{L}\p{Nd}_])/uy],
  ["string", /"[^"\n]*"|'[^'\n]*'/y],
  ["hardware", /\$\d+/y],
  ["pragma", /#?pragma[ \t][^\n]*/y],
];

/** Reads tokens from a string, or from a part of one, one at a time. */
export class Lexer {
  readonly source: string;
  offset: number;
  /** Offset after the last character. */
  readonly end: number;
  /** Whether invalid characters count as tokens, to find the end of a faulty statement. */
  isLenient = false;
  #count = 0;
  readonly #maxTokens: number;

  constructor(source: string, maxTokens: number, { start, end } = { start: 0, end: source.length }) {
    this.source = source;
    this.#maxTokens = maxTokens;
    this.end = end;
    this.offset = source.charCodeAt(start) === 0xfeff ? start + 1 : start;
  }

  get tokens(): number {
    return this.#count;
  }

  /** Counts tokens that were read without the lexer. */
  count(tokens: number): void {
    this.#count += tokens;
    if (this.#count > this.#maxTokens)
      throw tooMany(this.offset, "The program has", this.#maxTokens, "tokens");
  }

  skipSpace(): void {
    for (;;) {
      this.#match(SPACE);
      if (!this.source.startsWith("/*", this.offset)) return;
      const end = this.source.indexOf("*/", this.offset + 2);
      if (end < 0 || end >= this.end)
        throw fatalAt(this.offset, "A comment begins here with /* and never ends.");
      this.offset = end + 2;
    }
  }

  next(): Token {
    this.skipSpace();
    this.count(1);
    const at = this.offset;
    if (at >= this.end) return { kind: "end", text: "", at: this.end, end: this.end };
    if (this.#match(NUMBER)) return this.#number(at);
    const kind = PATTERNS.find(([, pattern]) => this.#match(pattern))?.[0];
    if (kind) return this.#token(kind, at);
    const code = this.source.codePointAt(at)!;
    const character = String.fromCodePoint(code);
    this.offset = at + character.length;
    if (character === '"' || character === "'")
      return this.#refuse(at, () => ["A string begins here and does not end on its line."]);
    if (character !== "#")
      return this.#refuse(at, () => [`${describeCharacter(code)} is not part of the language.`]);
    this.#match(/[^\n]*/y);
    return this.#refuse(at, () => ["A # begins a pragma here, and nothing else.", "Comments begin with //."]);
  }

  /** Refuses invalid text, or passes over it as a token. */
  #refuse(at: number, reason: () => [message: string, hint?: string]): Token {
    if (!this.isLenient) throw errorAt({ at, end: this.offset }, ...reason());
    return this.#token("symbol", at);
  }

  #number(at: number): Token {
    const isFloat = /^(?!0[xX])[^xX]*[.eE]/.test(this.source.slice(at, this.offset));
    UNIT.lastIndex = this.offset;
    const unit = UNIT.exec(this.source)?.[1];
    if (unit) {
      this.offset = UNIT.lastIndex;
      return this.#token(unit === "im" ? "imaginary" : "duration", at);
    }
    const end = this.offset;
    if (this.#match(NAME)) {
      const text = this.source.slice(at, this.offset);
      return this.#refuse(at, () => [
        `${text.length > 24 ? `${text.slice(0, 24)}…` : text} is neither a number nor a name.`,
        /^[\d.]+(?:pi|π|tau|τ|euler|ℇ)$/.test(text)
          ? `Write \`${text.replace(/[^\d.]/, " * $&")}\`.`
          : "Names begin with a letter or an underscore.",
      ]);
    }
    return { kind: isFloat ? "float" : "integer", text: this.source.slice(at, end), at, end };
  }

  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.offset;
    if (!pattern.test(this.source)) return false;
    this.offset = pattern.lastIndex;
    return true;
  }

  #token(kind: TokenKind, at: number): Token {
    return { kind, text: this.source.slice(at, this.offset), at, end: this.offset };
  }
}

function describeCharacter(code: number): string {
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return code < 32 || code === 127
    ? `The control character ${hex}`
    : `The character ${String.fromCodePoint(code)} (${hex})`;
}
