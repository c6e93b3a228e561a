/** A node of an ESTree syntax tree. Offsets count UTF-16 units. */
export interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

export interface SyntaxMistake {
  message: string;
  start: number;
  end: number;
}

export interface Emission {
  code: string;
  /** The `mappings` of a source map (version 3) from the code to the source. */
  mappings: string;
  mistakes: readonly SyntaxMistake[];
}

export interface Syntax {
  /** Strips types, keeps every import, and emits enums, namespaces and parameter properties. */
  emit(source: string, language: Language): Emission;
  parse(source: string, language: Language): Parsed;
  /** Finds the enums and namespaces at the top of a source, of which `emitted` is the JavaScript. */
  namespaces(source: string, language: Language, emitted: readonly SyntaxNode[]): Namespaces;
}

interface Parsed {
  body: readonly SyntaxNode[];
  mistakes: readonly SyntaxMistake[];
  /** Whether it has elements of JSX; default: false. */
  jsx?: boolean;
}

export interface Namespaces {
  names: ReadonlySet<string>;
  /** Whether the last statement is one, or nothing but types. */
  isLast: boolean;
}

export type Language = "typescript" | "javascript";

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof (value as SyntaxNode).type === "string";
}

/** The nodes directly below a node, in the order of the source. */
export function* childrenOf(node: SyntaxNode): Generator<SyntaxNode> {
  for (const key in node) {
    const value = node[key];
    if (Array.isArray(value)) {
      for (const each of value) if (isNode(each)) yield each;
    } else if (isNode(value)) {
      yield value;
    }
  }
}

/** The identifiers that a pattern binds. */
export function* boundIn(pattern: SyntaxNode): Generator<SyntaxNode & { name: string }> {
  switch (pattern.type) {
    case "Identifier":
      yield pattern as SyntaxNode & { name: string };
      break;
    case "ObjectPattern":
      for (const property of pattern.properties as SyntaxNode[])
        yield* boundIn((property.type === "RestElement" ? property.argument : property.value) as SyntaxNode);
      break;
    case "ArrayPattern":
      for (const element of pattern.elements as (SyntaxNode | null)[]) if (element) yield* boundIn(element);
      break;
    case "AssignmentPattern":
      yield* boundIn(pattern.left as SyntaxNode);
      break;
    case "RestElement":
      yield* boundIn(pattern.argument as SyntaxNode);
      break;
  }
}

export type Completeness = { status: "complete" | "invalid" } | { status: "incomplete"; indent: string };

const OPEN_AT_END = /(?:Unexpected end|Unterminated|Expected .* but found `?(?:EOF|end of file))/i;
const UNIT = "  ";

/** Whether a source is whole, begun, or wrong. A begun one continues with an indented line. */
export function completenessOf(syntax: Syntax, source: string, language: Language): Completeness {
  const { mistakes } = syntax.parse(source, language);
  if (mistakes.length === 0) return { status: "complete" };
  const end = source.trimEnd().length;
  const open = mistakes.some(
    ({ message, start, end: to }) => OPEN_AT_END.test(message) || start >= end || to > end,
  );
  if (!open) return { status: "invalid" };
  const last = source.trimEnd().split("\n").at(-1) ?? "";
  const indent = /^\s*/.exec(last)![0];
  return { status: "incomplete", indent: /[{([]$/.test(last) ? indent + UNIT : indent };
}
