import { errorAt } from "../diagnostics/diagnostic.ts";
import type { NameNode, ParameterNode, TypeNode } from "./ast.ts";
import type { Token } from "./lexer.ts";
import { parseScalar, parseType } from "./operand-parser.ts";
import type { Shape, StatementContext } from "./statement-context.ts";

const GATE_HINT = "A gate is defined as in `gate g(theta) a, b { … }`: without types or sizes.";

export function parseInclude(context: StatementContext): Shape {
  const token = context.tokens.take();
  if (token.kind !== "string")
    throw errorAt(token, "The name of the file is missing here.", 'Write `include "stdgates.inc";`.');
  context.semicolon("after the include");
  return { kind: "include", file: token.text.slice(1, -1) };
}

export function parseRegister(context: StatementContext, { text: word, at }: Token): Shape {
  const { tokens } = context;
  const isNew = word === "qubit";
  const before = isNew ? context.bracketed("after the size") : null;
  tokens.refuse(
    "(",
    "Expected the size of a register in brackets.",
    isNew ? "Write `qubit[2] q;`." : `Write \`${word} name[2];\`.`,
  );
  const name = context.name("the register", `Write \`${isNew ? "qubit[n] q" : `${word} name[n]`};\`.`);
  const size = isNew ? before : context.bracketed("after the size");
  if (isNew)
    tokens.refuse(
      "[",
      "The size of a qubit register comes before its name.",
      `Write \`qubit[n] ${name.name};\`.`,
    );
  context.semicolon(`after the declaration of ${name.name}`);
  if (word !== "creg") return { kind: "quantum", name, size };
  const type = { name: "bit", width: size, at, end: tokens.lastEnd };
  return { kind: "classical", type, name, value: null, modifier: null };
}

/** Parses the declaration of a classical variable, after the word that says what kind of one it is. */
export function parseClassical(
  context: StatementContext,
  modifier: "const" | "input" | "output" | null,
): Shape {
  const { tokens, expressions } = context;
  if (modifier) {
    tokens.refuse("creg", `A creg is no ${modifier}.`, `Write \`${modifier} bit[n] …;\`.`);
    for (const word of ["qreg", "qubit"]) tokens.refuse(word, `Qubits are no ${modifier}.`);
  }
  const type = modifier === "const" ? parseScalar(expressions, "a constant") : parseType(expressions);
  const name = context.name("the variable");
  if (modifier === "input")
    tokens.refuse("=", `The input ${name.name} takes its value from outside, not from the program.`);
  if (modifier === "output")
    tokens.refuse(
      "=",
      `The output ${name.name} is declared without a value; assign it in a separate statement.`,
    );
  const value = tokens.accept("=") ? expressions.value(true) : null;
  if (modifier === "const" && !value) throw errorAt(name, `The constant ${name.name} needs a value.`);
  tokens.refuse(
    "[",
    "The width of a type comes before the name.",
    `Write \`${type.name}[n] ${name.name};\`.`,
  );
  context.semicolon(`after the declaration of ${name.name}`);
  return { kind: "classical", type, name, value, modifier };
}

export function parseGate(context: StatementContext, isOpaque: boolean): Shape {
  const { tokens } = context;
  const names = (what: string) => {
    const list = [context.name(what, GATE_HINT)];
    while (tokens.accept(",") && !tokens.is("{") && !tokens.is(")")) list.push(context.name(what, GATE_HINT));
    return list;
  };
  const name = context.name("the gate");
  let params: NameNode[] = [];
  if (tokens.accept("(")) {
    if (!tokens.is(")")) params = names("the parameter");
    tokens.expect(")", "after the parameters", GATE_HINT);
  }
  const qubits = names("the qubit");
  const body = isOpaque ? null : context.block(`the gate ${name.name}`, GATE_HINT);
  if (isOpaque) context.semicolon("after the declaration");
  return { kind: "gate", name, params, qubits, body };
}

export function parseSubroutine(context: StatementContext): Shape {
  const name = context.name("the subroutine");
  context.tokens.expect("(", `after the name of the subroutine`);
  const params = context.expressions.items(")", "after the parameters", () => parseParameter(context));
  const result = parseResult(context);
  return { kind: "def", name, params, result, body: context.block(`the subroutine ${name.name}`) };
}

export function parseExtern(context: StatementContext): Shape {
  const name = context.name("the function");
  context.tokens.expect("(", "after the name of the function");
  const params = context.expressions.items(")", "after the types of the parameters", () =>
    parseParameterType(context),
  );
  const result = parseResult(context);
  context.semicolon("after the declaration");
  return { kind: "extern", name, params, result };
}

function parseResult({ tokens, expressions }: StatementContext): TypeNode | null {
  tokens.refuse(
    ":",
    "`->` or `{` is missing after the parameters, before `:`.",
    "A return type follows an arrow, as in `-> int`. Put blocks in braces, without a colon.",
  );
  return tokens.accept("->") ? parseScalar(expressions, "what a subroutine returns") : null;
}

function parseParameterType(context: StatementContext): TypeNode {
  const { tokens, expressions } = context;
  const token = tokens.peek();
  const { at, text } = token;
  if (text === "readonly" || text === "mutable") {
    tokens.take();
    if (tokens.is("array")) return parseType(expressions, text);
    throw errorAt(
      token,
      `Only an array is ${text}.`,
      "Leave the word out: a single value is passed as a copy.",
    );
  }
  if (text !== "qubit" && text !== "qreg" && text !== "creg") {
    const type = parseType(expressions);
    if (!type.array) return type;
    throw errorAt(
      token,
      "An array as a parameter is either readonly or mutable.",
      "Write `readonly array[…]` or `mutable array[…]`.",
    );
  }
  tokens.take();
  const width = text === "qubit" || tokens.is("[") ? context.bracketed("after the size") : null;
  return { name: text === "creg" ? "bit" : "qubit", width, at, end: tokens.lastEnd };
}

export function parseParameter(context: StatementContext): ParameterNode {
  const isOld = context.tokens.is("qreg") || context.tokens.is("creg");
  const type = parseParameterType(context);
  const name = context.name("the parameter");
  return { ...name, type: isOld ? { ...type, width: context.bracketed("after the size") } : type };
}
