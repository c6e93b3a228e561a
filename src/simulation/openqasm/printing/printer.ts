import {
  armsOf,
  type ExpressionNode,
  type NodeList,
  type ParameterNode,
  type StatementNode,
  type TypeNode,
} from "../syntax/ast.ts";
import type { ProgramTree } from "../syntax/parse.ts";
import { type PrintContext, printExpression, printIndex, printType } from "./expression-printer.ts";

interface PrintOptions {
  isVersion2?: boolean;
  /** Returns the name that stands for one of the program. Default: the same. */
  rename?(name: string): string;
}

/** Returns a program as text; read again, it makes the same tree. */
export function print({ version, statements }: ProgramTree, options: PrintOptions = {}): string {
  const head = version === null ? "" : `OPENQASM ${version};\n`;
  const printer = new StatementPrinter(options);
  return head + statements.map(node => printer.statement(node, "")).join("");
}

class StatementPrinter {
  readonly #context: PrintContext;
  #indent = "";

  constructor({ isVersion2 = false, rename = name => name }: PrintOptions) {
    this.#context = { isVersion2, name: rename, block: body => this.#block(body) };
  }

  statement(node: StatementNode, indent: string): string {
    const outer = this.#indent;
    this.#indent = indent;
    const text = `${indent}${this.#text(node)}\n`;
    this.#indent = outer;
    return text;
  }

  #text(node: StatementNode): string {
    const { isVersion2, name } = this.#context;
    const show = (inner: ExpressionNode) => printExpression(inner, this.#context);
    const list = (items: readonly ExpressionNode[]) => items.map(show).join(", ");
    const names = (items: readonly { name: string }[]) => items.map(item => name(item.name)).join(", ");
    const type = (of: TypeNode) => printType(of, this.#context);
    const result = (of: TypeNode | null) => (of ? ` -> ${type(of)}` : "");
    switch (node.kind) {
      case "verbatim":
        return node.text;
      case "include":
        return `include "${node.file}";`;
      case "block":
        return this.#block(node.body);
      case "box":
        return `box${node.duration ? `[${show(node.duration)}]` : ""} ${this.#block(node.body)}`;
      case "delay":
        return `delay[${show(node.duration)}]${node.operands.length > 0 ? ` ${list(node.operands)}` : ""};`;
      case "nop":
      case "barrier":
        return `${node.kind}${node.operands.length > 0 ? ` ${list(node.operands)}` : ""};`;
      case "quantum":
        if (isVersion2) return `qreg ${name(node.name.name)}[${node.size ? show(node.size) : 1}];`;
        return `qubit${node.size ? `[${show(node.size)}]` : ""} ${name(node.name.name)};`;
      case "classical": {
        const { modifier, value } = node;
        if (isVersion2)
          return `creg ${name(node.name.name)}${node.type.width ? `[${show(node.type.width)}]` : ""};`;
        const head = `${modifier ? `${modifier} ` : ""}${type(node.type)} ${name(node.name.name)}`;
        return `${head}${value ? ` = ${show(value)}` : ""};`;
      }
      case "alias":
        return `let ${name(node.name.name)} = ${show(node.value)};`;
      case "assign":
        return `${show(node.target)} ${node.operator} ${show(node.value)};`;
      case "gate": {
        const params = node.params.length > 0 ? `(${names(node.params)})` : "";
        const head = `${name(node.name.name)}${params} ${names(node.qubits)}`;
        return node.body ? `gate ${head} ${this.#block(node.body)}` : `opaque ${head};`;
      }
      case "call": {
        const modifiers = node.modifiers.map(
          ({ kind, argument }) => `${kind}${argument ? `(${show(argument)})` : ""} @ `,
        );
        const args = node.args.length > 0 ? `(${list(node.args)})` : "";
        const time = node.duration ? `[${show(node.duration)}]` : "";
        const operands = node.operands.length > 0 ? ` ${list(node.operands)}` : "";
        return `${modifiers.join("")}${name(node.name.name)}${args}${time}${operands};`;
      }
      case "measure":
        return `measure ${show(node.operand)}${node.target ? ` -> ${show(node.target)}` : ""};`;
      case "reset":
        return `reset ${show(node.operand)};`;
      case "if": {
        const arms = armsOf(node);
        const { otherwise } = arms.at(-1)!;
        const texts = arms.map(({ condition, body }) => `if (${show(condition)}) ${this.#body(body)}`);
        return `${texts.join(" else ")}${otherwise ? ` else ${this.#block(otherwise)}` : ""}`;
      }
      case "while":
        return `while (${show(node.condition)}) ${this.#block(node.body)}`;
      case "for": {
        const values = printIndex(node.values, this.#context);
        const range = node.values.kind === "range" ? `[${values}]` : values;
        return `for ${type(node.type)} ${name(node.name.name)} in ${range} ${this.#block(node.body)}`;
      }
      case "switch": {
        const cases = node.cases.map(
          ({ labels, body }) =>
            `${this.#indent}  ${labels ? `case ${list(labels)}` : "default"} ${this.#block(body, "  ")}\n`,
        );
        return `switch (${show(node.value)}) {\n${cases.join("")}${this.#indent}}`;
      }
      case "def":
        return `def ${name(node.name.name)}(${node.params.map(param => this.#parameter(param)).join(", ")})${result(node.result)} ${this.#block(node.body)}`;
      case "extern":
        return `extern ${name(node.name.name)}(${node.params.map(type).join(", ")})${result(node.result)};`;
      case "return":
        return `return${node.value ? ` ${show(node.value)}` : ""};`;
      case "expression":
        return `${show(node.value)};`;
      default:
        return `${node.kind};`;
    }
  }

  #parameter({ name, type }: ParameterNode): string {
    return `${printType(type, this.#context)} ${this.#context.name(name)}`;
  }

  /** Returns the body of a condition; OpenQASM 2 has one statement there, without braces. */
  #body(body: NodeList): string {
    const [first] = body;
    return this.#context.isVersion2 && body.length === 1 ? this.#text(first!) : this.#block(body);
  }

  #block(body: NodeList, deeper = ""): string {
    if (body.length === 0) return "{}";
    const indent = this.#indent + deeper;
    return `{\n${body.flatMap(inner => this.statement(inner, `${indent}  `)).join("")}${indent}}`;
  }
}
