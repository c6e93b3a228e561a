import {
  type Computed,
  type Constant,
  constant,
  type Expression,
  type OperandIndices,
} from "../../circuit/expression.ts";
import { indicesWithin } from "../../circuit/indexing.ts";
import { conversion } from "../../circuit/values/conversions.ts";
import { CONSTANTS } from "../../circuit/values/functions.ts";
import {
  BIT,
  BOOL,
  bitsOf,
  COMPLEX_TYPE,
  DURATION,
  FLOAT,
  hasBits,
  INT,
  isInteger,
  isNumeric,
  MAX_WIDTH,
  type Type,
  withArticle,
} from "../../circuit/values/types.ts";
import { didYouMean } from "../diagnostics/nearest-name.ts";
import type { DurationUnit, ExpressionNode, IndexNode, TypeNode } from "../syntax/ast.ts";
import type { Arrays } from "./arrays.ts";
import { compileBuiltIn } from "./builtins.ts";
import { AlreadyReportedError, convert, errorAt, fold } from "./compiled.ts";
import { compileBinary, compileConcatenation, compileUnary } from "./operations.ts";
import type { RegisterResolver } from "./registers.ts";
import type { Scope } from "./scope.ts";

/** Context of compiling an expression. */
interface ExpressionContext {
  scope: Scope;
  /** Lowers the call of a subroutine in front of the expression and returns its result; null where there is none of that name. */
  callSubroutine(node: ExpressionNode & { kind: "call" }): Expression | null;
  /** Lowers the operands of `&&` or `||`; right is null where left alone is the result. */
  lowerOperands(
    node: ExpressionNode & { kind: "binary" },
    left: Expression,
    compileRight: () => Expression,
  ): [left: Expression, right: Expression | null];
  /** Counts the members of a slice or a list of qubits or bits, each as so many operations (default 0.5); throws where a program has too many. */
  countMembers(count: number, at: number, weight?: number): void;
  /** Records a note for the reader of the program. */
  note(node: { at: number }, message: string): void;
  /** Returns the nanoseconds that a block takes. */
  durationOf(node: ExpressionNode & { kind: "durationof" }): number;
  /** Lowers a measurement in front of the expression and returns the bits. */
  measure(node: ExpressionNode): Expression;
}

/** Types expressions, folds constants and turns the rest into functions of the classical memory. */
export class ExpressionCompiler {
  readonly context: ExpressionContext;
  registers!: RegisterResolver;
  arrays!: Arrays;
  readonly bits = new BitAccess(this);
  /** Number of reads of inputs. */
  #inputReads = 0;

  constructor(context: ExpressionContext) {
    this.context = context;
  }

  /** Compiles an expression. In one of real numbers, as the arguments of gates are, the division of integers is not rounded. */
  compile(node: ExpressionNode, isReals = false): Expression {
    switch (node.kind) {
      case "integer":
        return constant(INT, node.value);
      case "float":
        return constant(FLOAT, node.value);
      case "boolean":
        return constant(BOOL, node.value);
      case "bits":
        return constant({ kind: "bit", width: node.text.length }, BigInt(`0b${node.text}`));
      case "imaginary":
        return constant(COMPLEX_TYPE, { re: 0, im: node.value });
      case "duration":
        return constant(DURATION, node.value * NANOSECONDS[node.unit]);
      case "durationof":
        return constant(DURATION, this.context.durationOf(node));
      case "array":
        throw errorAt(
          node,
          "Values in braces stand where an array is declared or assigned, and nowhere else.",
          'The bits of a register are written as a string, as in `"101"`.',
        );
      case "hardware":
        throw errorAt(node, "A qubit is not a classical value.");
      case "name":
        return this.#name(node);
      case "index":
        return this.bits.index(node);
      case "unary":
        return compileUnary(node, this, isReals);
      case "binary":
        return compileBinary(node, this, isReals);
      case "call":
        return this.#call(node);
      case "cast": {
        const type = this.type(node.type);
        return convert(this.compile(node.operand), type, node, "cast");
      }
      case "measure":
        return this.context.measure(node.operand);
      case "concatenation":
        return compileConcatenation(node, this);
    }
  }

  /** Compiles an expression to a value of a type. */
  compileTo(node: ExpressionNode, type: Type): Expression {
    return convert(this.compile(node), type, node, "promotion");
  }

  /** Compiles a whole number in its own type: a place or an end of a range is not brought into that of an `int`. */
  wholeNumber(node: ExpressionNode): Expression {
    const inner = this.compile(node);
    return isInteger(inner.type) ? inner : convert(inner, INT, node, "promotion");
  }

  /** Compiles what is assigned to a place of a type; of a real number that is assigned to a whole one, the fraction is dropped. */
  assigned(node: ExpressionNode, type: Type): Expression {
    const inner = this.compile(node);
    if (inner.type.kind === "float" && isInteger(type))
      this.context.note(node, "A real number is assigned to a whole one: its fraction is dropped, as in C.");
    const value = convert(inner, type, node, "assignment");
    const isWhole = isInteger(inner.type) && isInteger(type) && inner.value !== undefined;
    if (isWhole && inner.type.width === null && value.value !== inner.value)
      this.context.note(
        node,
        `${inner.value} does not fit into ${withArticle(type)}; it becomes ${value.value}, as in C.`,
      );
    return value;
  }

  /** Compiles an expression whose value, if it has one, is not used. */
  effect(node: ExpressionNode): void {
    if (this.registers.isRegister(node)) this.registers.resolve(node);
    else if (this.arrays.rankOf(node) > 0) this.arrays.resolve(node);
    else if (node.kind === "call") this.#called(node);
    else this.compile(node);
  }

  /** Compiles an argument of a gate: a real number. */
  real(node: ExpressionNode): Expression {
    const inner = this.compile(node, true);
    if (!isNumeric(inner.type))
      throw errorAt(node, `An argument of a gate is a number, not ${withArticle(inner.type)}.`);
    return convert(inner, FLOAT, node, "argument");
  }

  /** Returns the value of an expression that has to be a constant whole number. */
  constantInteger(node: ExpressionNode, what: string): number {
    const known = this.known(() => this.compile(node));
    if (!known || (!isInteger(known.type) && !conversion(known.type, INT, "promotion")))
      throw errorAt(
        node,
        `${what} has to be a constant whole number.`,
        "A variable is one where it is declared so, as in `const int n = 3;`.",
      );
    return Number(isInteger(known.type) ? known.value : convert(known, INT, node, "promotion").value);
  }

  /** Returns what `compile` returns where that is a constant of the program, and null where it is not, as for an input. */
  known(compile: () => Expression): Constant | null {
    const before = this.#inputReads;
    const compiled = compile();
    return compiled.kind === "constant" && this.#inputReads === before ? compiled : null;
  }

  /** Returns the type that is written in the program. */
  type(node: TypeNode): Type {
    if (node.array) throw errorAt(node, "A single value is needed here, not an array.");
    const kind = node.name === "stretch" ? "duration" : (node.name as Type["kind"]);
    const width = node.width && this.constantInteger(node.width, `The width of ${kind}`);
    const max =
      MAX_WIDTH[kind === "bit" ? "bit" : kind === "float" || kind === "complex" ? "float" : "number"];
    if (width !== null && (width < 1 || width > max))
      throw errorAt(node.width!, `The width of ${kind} has to be from 1 to ${max.toLocaleString("en-US")}.`);
    return { kind, width };
  }

  #call(node: ExpressionNode & { kind: "call" }): Expression {
    const called = this.#called(node);
    if (called.kind === "void")
      throw errorAt(
        node,
        `${node.name} returns no value that could be used here.`,
        "Add `-> type` to its head and return a value, or call it in a separate statement.",
      );
    return called;
  }

  #called(node: ExpressionNode & { kind: "call" }): Expression {
    return this.context.callSubroutine(node) ?? compileBuiltIn(node, this);
  }

  #name(node: ExpressionNode & { kind: "name" }): Expression {
    const { name } = node;
    const symbol = this.context.scope.find(name);
    if (symbol === undefined) {
      const known = CONSTANTS.get(name);
      if (known !== undefined) return constant(FLOAT, known);
      const names = [
        ...this.context.scope.names("constant", "variable", "register"),
        ...CONSTANTS.keys(),
        "true",
        "false",
      ];
      throw errorAt(
        node,
        `${name} is not declared.`,
        didYouMean(name, names) ?? `Write a value, or declare it first: \`input float ${name};\`.`,
      );
    }
    if (symbol === "hidden")
      throw errorAt(
        node,
        `${name} is a variable of the program, which gates and subroutines cannot see.`,
        "Pass it as an argument.",
      );
    switch (symbol.kind) {
      case "constant":
        return constant(symbol.type, symbol.value);
      case "variable":
        return { kind: "slot", type: symbol.type, slot: symbol.slot };
      case "register":
        return this.bits.register(node);
      case "array":
        throw errorAt(
          node,
          `${name} is an array; a single value is needed here.`,
          `Take one, as in \`${name}[0]\`.`,
        );
      case "input":
        this.#inputReads++;
        return constant(symbol.type, symbol.value);
      case "faulty":
        throw new AlreadyReportedError();
      default:
        throw errorAt(node, `${name} is a ${symbol.kind}, not a value.`);
    }
  }
}

/** Nanoseconds of each unit of time; a simulator takes a sample each nanosecond. */
const NANOSECONDS: Readonly<Record<DurationUnit, number>> = { dt: 1, ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

/** Compiles the reading of bits: of registers, and one by one of numbers. */
class BitAccess {
  readonly #expressions: ExpressionCompiler;

  constructor(expressions: ExpressionCompiler) {
    this.#expressions = expressions;
  }

  /** Compiles the reading of a register of classical bits, or of a part of one. */
  register(node: ExpressionNode): Expression {
    const ref = this.#expressions.registers.resolve(node);
    if (ref.kind === "qubit")
      throw errorAt(node, "A qubit is not a classical value.", "Measure it first, as in `c = measure q;`.");
    const width = ref.known?.length === 1 ? 1 : (ref.width ?? MAX_WIDTH.bit);
    return { kind: "bits", type: ref.isSingle ? BIT : { kind: "bit", width }, bits: ref.indices };
  }

  /** Compiles an index: of a register, of an array, or of the bits of a number. */
  index(node: ExpressionNode & { kind: "index" }): Expression {
    if (this.#expressions.registers.isRegister(node)) return this.register(node);
    if (this.#expressions.arrays.rankOf(node.base) > 0) return this.#expressions.arrays.element(node);
    const operand = this.#expressions.compile(node.base);
    const { type, known, positions } = this.indices(operand.type, node);
    const extract: Computed = { kind: "extract", type, operand, positions };
    return known ? fold(extract, [operand], node) : extract;
  }

  /** Finds which bits of a number an index takes, the lowest first. */
  indices(
    type: Type,
    node: ExpressionNode & { kind: "index" },
  ): { type: Type; known: readonly number[] | null; positions: OperandIndices } {
    const [item] = node.items as [IndexNode];
    if (node.items.length > 1) throw errorAt(node, "The bits of a value have one index.");
    if (!hasBits(type)) throw errorAt(node, `${withArticle(type, true)} has no bits to take one by one.`);
    if (type.width === null)
      throw errorAt(
        node,
        `The bits of ${withArticle(type)} without a width cannot be taken one by one.`,
        `Declare it with one, as in \`${type.kind}[32]\`.`,
      );
    const size = bitsOf(type);
    const { known, indices } = this.#expressions.registers.indices(item, size);
    const isSingle = item.kind !== "range" && item.kind !== "set";
    if (!isSingle && !known) throw errorAt(item, "How many bits these are has to be known before the run.");
    if (!isSingle) this.#expressions.context.countMembers(known!.length, item.at);
    const taken: Type = isSingle ? BIT : { kind: "bit", width: known!.length };
    if (!known)
      return { type: taken, known, positions: { kind: "within", indices, size, of: "number", at: item.at } };
    try {
      const positions = indicesWithin(known, size, "number");
      return { type: taken, known: positions, positions };
    } catch (error) {
      throw error instanceof RangeError ? errorAt(item, error.message) : error;
    }
  }
}
