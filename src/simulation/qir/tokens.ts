import { errorAt, tooMany } from "../openqasm/diagnostics/diagnostic.ts";

export interface QirToken {
  readonly kind: "word" | "label" | "name" | "number" | "string" | "symbol" | "end";
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

const SKIP = /(?:\s+|;[^\n]*)+/y;
const KINDS: readonly (readonly [QirToken["kind"], RegExp])[] = [
  ["string", /c?"[^"\n]*"/y],
  ["label", /[-\w.$]+:/y],
  ["name", /[%@](?:"[^"\n]*"|[-\w.$]+)|[#!]\w*/y],
  ["number", /0x[0-9A-Fa-f]+|[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?(?![\w.$])/y],
  ["word", /[A-Za-z_.$][-\w.$]*/y],
  ["symbol", /[-{}()[\],=*<>|:]/y],
];

/** Reads the tokens of a string one at a time, with one of look-ahead. */
export class QirTokens {
  readonly #source: string;
  readonly #maxTokens: number;
  #offset = 0;
  #count = 0;
  #ahead: QirToken | null = null;

  constructor(source: string, maxTokens: number) {
    this.#source = source;
    this.#maxTokens = maxTokens;
  }

  peek(): QirToken {
    this.#ahead ??= this.#next();
    return this.#ahead;
  }

  take(): QirToken {
    const token = this.peek();
    this.#ahead = null;
    return token;
  }

  is(text: string): boolean {
    return this.peek().text === text;
  }

  accept(text: string): boolean {
    if (this.peek().text !== text) return false;
    this.take();
    return true;
  }

  expect(text: string): QirToken {
    const token = this.take();
    if (token.text === text) return token;
    throw errorAt(token, `\`${text}\` is missing here, before \`${token.text.slice(0, 24)}\`.`);
  }

  /** Offset of the next token, or of the space before it. */
  get offset(): number {
    return this.#ahead?.at ?? this.#offset;
  }

  seek(offset: number): void {
    this.#ahead = null;
    this.#offset = offset;
  }

  skipLine(): void {
    if (this.#ahead) this.#offset = this.#ahead.at;
    this.#ahead = null;
    const end = this.#source.indexOf("\n", this.#offset);
    this.#offset = end < 0 ? this.#source.length : end;
  }

  #next(): QirToken {
    if (++this.#count > this.#maxTokens)
      throw tooMany(this.#offset, "The program has", this.#maxTokens, "tokens");
    SKIP.lastIndex = this.#offset;
    if (SKIP.test(this.#source)) this.#offset = SKIP.lastIndex;
    const at = this.#offset;
    if (at >= this.#source.length) return { kind: "end", text: "", at, end: at };
    for (const [kind, pattern] of KINDS) {
      pattern.lastIndex = at;
      const text = pattern.exec(this.#source)?.[0];
      if (!text) continue;
      this.#offset = at + text.length;
      return { kind, text, at, end: this.#offset };
    }
    throw errorAt({ at, end: at }, "This character is not part of LLVM's text form.");
  }
}
