import { fatalAt } from "../openqasm/diagnostics/diagnostic.ts";
import { real, whole } from "./operands.ts";
import type { QirTokens } from "./tokens.ts";

/** A function of a module: where its body begins, and what its parameters are called. */
interface QirDefinition {
  readonly name: string;
  readonly params: readonly string[];
  /** Text between the parameters and the body. */
  readonly marks: string;
  readonly body: number;
  readonly at: number;
}

/** Arrays of constants of a module, one after the other; a pointer to an element is its place among all. */
export interface QirArrays {
  readonly places: ReadonlyMap<string, number>;
  readonly elements: readonly (bigint | number | string)[];
}

export interface QirModule {
  readonly functions: ReadonlyMap<string, QirDefinition>;
  readonly arrays: QirArrays;
  /** The texts of a module by their names, such as the labels of its outputs. */
  readonly texts: ReadonlyMap<string, string>;
}

const MAX_ELEMENTS = 1_000_000;

/** Reads the heads of a module's functions, and its arrays of constants. */
export function readModule(tokens: QirTokens): QirModule {
  const functions = new Map<string, QirDefinition>();
  const places = new Map<string, number>();
  const elements: (bigint | number | string)[] = [];
  const texts = new Map<string, string>();
  for (let token = tokens.take(); token.kind !== "end"; token = tokens.take()) {
    if (token.text === "define") {
      const definition = readHead(tokens, token.at);
      if (functions.has(definition.name))
        throw fatalAt(token.at, `${definition.name.slice(1, 60)} is defined twice.`);
      functions.set(definition.name, definition);
      skipBody(tokens, token.at);
    } else if (token.kind === "name" && token.text.startsWith("@") && tokens.accept("=")) {
      const array = readArray(tokens);
      if (typeof array === "string") {
        texts.set(token.text, array);
        continue;
      }
      if (array) places.set(token.text, elements.length);
      for (const element of array ?? []) elements.push(element);
      if (elements.length > MAX_ELEMENTS) throw fatalAt(token.at, "The module has too many constants.");
    } else if (token.kind === "name" || token.kind === "word") tokens.skipLine();
  }
  return { functions, arrays: { places, elements }, texts };
}

function readHead(tokens: QirTokens, at: number): QirDefinition {
  let name = "";
  while (tokens.peek().text !== "(" && tokens.peek().kind !== "end") name = tokens.take().text;
  const params: string[] = [];
  let marks = "";
  let depth = 0;
  while (tokens.peek().text !== "{" && tokens.peek().kind !== "end") {
    const { kind, text } = tokens.take();
    if (text === "(") depth++;
    else if (text === ")") depth--;
    else if (depth > 0 && kind === "name" && text.startsWith("%") && [",", ")"].includes(tokens.peek().text))
      params.push(text);
    if (depth === 0) marks += ` ${text}`;
  }
  if (!tokens.accept("{")) throw fatalAt(at, "The body of this function is missing.");
  return { name, params, marks, body: tokens.offset, at };
}

function skipBody(tokens: QirTokens, at: number): void {
  for (let depth = 1; depth > 0; ) {
    const { kind, text } = tokens.take();
    if (kind === "end") throw fatalAt(at, "This function is never closed.");
    if (text === "{") depth++;
    else if (text === "}") depth--;
  }
}

/** Reads `constant [2 x i64] [i64 3, i64 5]`, or a string; null stands for anything else. */
function readArray(tokens: QirTokens): (bigint | number | string)[] | string | null {
  while (tokens.peek().kind === "word") tokens.take();
  if (!tokens.accept("[")) {
    tokens.skipLine();
    return null;
  }
  let isReal = false;
  while (!tokens.accept("]")) {
    const { kind, text } = tokens.take();
    if (kind === "end") return null;
    isReal ||= text === "double" || text === "float";
  }
  if (tokens.peek().kind === "string") return textOf(tokens.take().text);
  if (!tokens.accept("[")) {
    tokens.skipLine();
    return null;
  }
  const elements: (bigint | number | string)[] = [];
  let value: bigint | number | string = 0n;
  let isRead = false;
  for (let depth = 1; depth > 0; ) {
    const { kind, text } = tokens.take();
    if (kind === "end") return null;
    if (text === "[" || text === "(") depth++;
    else if (text === "]" || text === ")") depth--;
    if (depth === 0 || (depth === 1 && text === ",")) {
      elements.push(value);
      value = 0n;
      isRead = false;
    } else if (!isRead && (kind === "number" || text.startsWith("@"))) {
      isRead = true;
      value = kind !== "number" ? text : isReal ? real(text) : whole(text);
    } else if (text === "true") value = 1n;
  }
  return elements;
}

/** Returns the text of `c"label\00"`, up to its end. */
function textOf(literal: string): string {
  const text = literal
    .replace(/^c?"|"$/g, "")
    .replace(/\\([0-9A-Fa-f]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  const end = text.indexOf("\0");
  return end < 0 ? text : text.slice(0, end);
}
