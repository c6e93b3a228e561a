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
