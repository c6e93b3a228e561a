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

/** Symbols of the language of three, two and one characters, as the lexer tries them. */
export const SYMBOLS = [
  "**= <<= >>=",
  "-> == != <= >= && || << >> ** ++ += -= *= /= %= &= |= ^= ~=",
  "[ ] { } ( ) : ; . , = + - * / % | & ^ ~ ! < > @",
].map(list => new Set(list.split(" ")));

const SPACE = /(?:[ \t\r\n\f\v\u00a0]+|\/\/[^\n]*)+/y;
const NAME = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\d_]*/uy;
const NUMBER =
  /0[xX][0-9a-fA-F]+(?:_[0-9a-fA-F]+)*|0o[0-7]+(?:_[0-7]+)*|0[bB][01]+(?:_[01]+)*|(?:\d+(?:_\d+)*\.(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*|\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?/y;
const UNIT = /[ \t]*(dt|ns|us|µs|μs|ms|s|im)(?![\p{L}\p{Nd}_])/uy;
const STRING = /"[^"\n]*"|'[^'\n]*'/y;
const HARDWARE = /\$\d+/y;
const ANNOTATION = /@[\p{L}_][^\n]*/uy;
const DIMENSIONS = /#dim(?![\p{L}\p{Nd}_])/uy;
const PRAGMA = /#?pragma[ \t][^\n]*/y;

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
    const { source } = this;
    let code = source.charCodeAt(this.offset);
    while (code === 32 || code === 10) code = source.charCodeAt(++this.offset);
    for (;;) {
      if (code > 47 && code < 128) return;
      this.#match(SPACE);
      if (!this.source.startsWith("/*", this.offset)) return;
      const end = this.source.indexOf("*/", this.offset + 2);
      if (end < 0 || end >= this.end)
        throw fatalAt(this.offset, "A comment begins here with /* and never ends.");
      this.offset = end + 2;
      code = source.charCodeAt(this.offset);
    }
  }

  next(): Token {
    this.skipSpace();
    this.count(1);
    const at = this.offset;
    const { source } = this;
    if (at >= this.end) return { kind: "end", text: "", at: this.end, end: this.end };
    const first = source.charCodeAt(at);
    const second = source.charCodeAt(at + 1);
    if (isDigit(first) || (first === 46 && isDigit(second)))
      return this.#plainInteger(at) ?? this.#anyNumber(at);
    if ((first === 35 || (first === 112 && second === 114)) && this.#match(PRAGMA))
      return this.#token("pragma", at);
    if (isSingle(first)) {
      this.offset = at + 1;
      return { kind: "symbol", text: source[at]!, at, end: at + 1 };
    }
    if (first === 35 && this.#match(DIMENSIONS)) return this.#token("symbol", at);
    if (this.#name()) return this.#token("name", at);
    if (first === 34 || first === 39) {
      if (this.#match(STRING)) return this.#token("string", at);
      this.offset = at + 1;
      return this.#refuse(at, () => ["A string begins here and does not end on its line."]);
    }
    if (first === 36 && this.#match(HARDWARE)) return this.#token("hardware", at);
    if (first === 64 && this.#match(ANNOTATION)) return this.#token("annotation", at);
    if (first < 127 && !JOINED.has(second) && SYMBOLS[2]!.has(source[at]!)) {
      this.offset = at + 1;
      return { kind: "symbol", text: source[at]!, at, end: at + 1 };
    }
    for (const [i, symbols] of SYMBOLS.entries()) {
      const text = source.slice(at, at + 3 - i);
      if (!symbols.has(text)) continue;
      this.offset = at + text.length;
      return { kind: "symbol", text, at, end: this.offset };
    }
    if (first === 35) {
      this.#match(/[^\n]*/y);
      return this.#refuse(at, () => [
        "A # begins a pragma here, and nothing else.",
        "Comments begin with //.",
      ]);
    }
    const code = source.codePointAt(at)!;
    this.offset = at + (code > 0xffff ? 2 : 1);
    return this.#refuse(at, () => [`${describeCharacter(code)} is not part of the language.`]);
  }

  /** Refuses invalid text, or passes over it as a token. */
  #refuse(at: number, reason: () => [message: string, hint?: string]): Token {
    if (!this.isLenient) throw errorAt({ at, end: this.offset }, ...reason());
    return this.#token("symbol", at);
  }

  /** Reads digits with a symbol right after them, as most numbers are. */
  #plainInteger(at: number): Token | null {
    let end = at;
    let code = this.source.charCodeAt(end);
    while (isDigit(code)) code = this.source.charCodeAt(++end);
    if (!isSingle(code)) return null;
    this.offset = end;
    return { kind: "integer", text: this.source.slice(at, end), at, end };
  }

  #anyNumber(at: number): Token {
    this.#match(NUMBER);
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

  /** Moves past a name; one of ASCII letters is found without a pattern. */
  #name(): boolean {
    let at = this.offset;
    let code = this.source.charCodeAt(at);
    if (code < 128 && !isLetter(code)) return false;
    while (isLetter(code) || isDigit(code)) code = this.source.charCodeAt(++at);
    if (code > 127) return this.#match(NAME);
    this.offset = at;
    return true;
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

/** Characters that may follow another one within a symbol. */
const JOINED: ReadonlySet<number> = new Set([..."*<>=&|+"].map(character => character.charCodeAt(0)));
const isDigit = (code: number) => code >= 48 && code <= 57;
const isLetter = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
const SINGLE = Uint8Array.from({ length: 128 }, (_, code) =>
  "(),:;[]{}".includes(String.fromCharCode(code)) ? 1 : 0,
);
/** Whether a character is a symbol that no other begins with. */
const isSingle = (code: number) => SINGLE[code] === 1;

function describeCharacter(code: number): string {
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return code < 32 || code === 127
    ? `The control character ${hex}`
    : `The character ${String.fromCodePoint(code)} (${hex})`;
}
