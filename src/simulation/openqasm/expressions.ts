import type { Compute, Memory, Value } from "../circuit/memory.ts";
import { SimulationError } from "../errors.ts";
import type { ExpressionNode, TypeNode } from "./ast.ts";
import { didYouMean, Fault } from "./diagnostic.ts";
import { CONSTANTS, OTHER_FUNCTIONS, popcount, REAL_FUNCTIONS, rotateLeft } from "./functions.ts";
import { isComparison, isLogical, operate } from "./operators.ts";
import type { Places } from "./places.ts";
import type { Scope } from "./scope.ts";
import {
  BIT,
  BOOL,
  conversion,
  converted,
  FLOAT,
  INT,
  isInteger,
  isNumeric,
  type Type,
  typeName,
  UINT,
} from "./types.ts";

/** An expression with its type; `value` is there where it is a constant. */
export interface Compiled {
  readonly type: Type;
  readonly value: Value | undefined;
  readonly run: Compute;
}

/** An expression that gives a real number. */
export interface CompiledReal extends Compiled {
  readonly value: number | undefined;
  readonly run: Compute<number>;
}

/** What an expression is compiled in. */
export interface ExpressionContext {
  scope: Scope;
  /** Gives `line:column` of an offset. */
  locate(at: number): string;
  /** Lowers the call of a subroutine in front of the expression and gives its result; null where there is none of that name. */
  callSubroutine(node: ExpressionNode & { kind: "call" }): Compiled | null;
  /** Lowers a measurement in front of the expression and gives the bits. */
  measure(node: ExpressionNode): Compiled;
}

const NO_MEMORY: Memory = { slots: [], readBit: () => 0, writeBit: () => {} };
const WIDEST = 65_536;

/** Types expressions, folds constants and turns the rest into functions of the classical memory. */
export class ExpressionCompiler {
  readonly context: ExpressionContext;
  places!: Places;

  constructor(context: ExpressionContext) {
    this.context = context;
  }

  /** Compiles an expression. In one of real numbers, as the arguments of gates are, the division of integers is not rounded. */
  compile(node: ExpressionNode, isReals = false): Compiled {
    switch (node.kind) {
      case "integer":
        return constant(INT, node.value);
      case "float":
        return constant(FLOAT, node.value);
      case "boolean":
        return constant(BOOL, node.value);
      case "bits":
        return constant({ kind: "bit", width: node.text.length }, BigInt(`0b${node.text}`));
      case "unsupported":
        throw fault(node, `${node.feature} are not supported yet.`);
      case "hardware":
        throw fault(node, "A qubit is no classical value.");
      case "name":
        return this.#name(node);
      case "index":
        return this.#index(node);
      case "unary":
        return this.#unary(node, isReals);
      case "binary":
        return this.#binary(node, isReals);
      case "call":
        return this.#call(node);
      case "cast": {
        const type = this.type(node.type);
        return this.#converted(this.compile(node.operand), type, node, true);
      }
      case "measure":
        return this.context.measure(node.operand);
      case "concatenation":
        return this.#concatenation(node);
    }
  }

  /** Compiles an expression to a value of a type. */
  compileTo(node: ExpressionNode, type: Type): Compiled {
    return this.#converted(this.compile(node), type, node, false);
  }

  /** Compiles an argument of a gate: a real number. */
  real(node: ExpressionNode): CompiledReal {
    const inner = this.compile(node, true);
    if (!isNumeric(inner.type))
      throw fault(node, `An argument of a gate is a number, not a ${typeName(inner.type)}.`);
    return this.#map(inner, FLOAT, Number) as CompiledReal;
  }

  /** Gives the value of an expression that has to be a constant whole number. */
  constantInteger(node: ExpressionNode, what: string): number {
    const { type, value } = this.compile(node);
    if (value === undefined || !isInteger(type))
      throw fault(node, `${what} has to be a constant whole number.`);
    return Number(value);
  }

  /** Gives the type that is written in the program. */
  type(node: TypeNode): Type {
    const { name } = node;
    if (name === "complex" || name === "duration" || name === "stretch")
      throw new Fault(node.at, `The type ${name} is not supported yet.`, { length: node.end - node.at });
    const width = node.width && this.constantInteger(node.width, `The width of ${name}`);
    if (width !== null && (width < 1 || width > WIDEST))
      throw fault(node.width!, `The width of ${name} has to be from 1 to ${WIDEST.toLocaleString("en-US")}.`);
    return { kind: name as Type["kind"], width };
  }

  #name(node: ExpressionNode & { kind: "name" }): Compiled {
    const { name } = node;
    const symbol = this.context.scope.find(name);
    if (symbol === undefined) {
      const known = CONSTANTS.get(name);
      if (known !== undefined) return constant(FLOAT, known);
      const names = [...this.context.scope.names("constant", "variable", "places"), ...CONSTANTS.keys()];
      throw fault(node, `${name} is not declared.`, didYouMean(name, names));
    }
    if (symbol === "hidden")
      throw fault(
        node,
        `${name} is a variable of the program, which gates and subroutines cannot see.`,
        "Pass it as an argument.",
      );
    switch (symbol.kind) {
      case "constant":
        return constant(symbol.type, symbol.value);
      case "variable": {
        const { slot } = symbol;
        return { type: symbol.type, value: undefined, run: memory => memory.slots[slot]! };
      }
      case "places":
        return this.#bits(node);
      case "faulty":
        throw new Silent();
      default:
        throw fault(node, `${name} is a ${symbol.kind}, not a value.`);
    }
  }

  #bits(node: ExpressionNode): Compiled {
    const ref = this.places.resolve(node);
    if (ref.kind === "qubit")
      throw fault(node, "A qubit is no classical value.", "Measure it first, as in `c = measure q;`.");
    if (ref.known?.length === 1) {
      const bit = ref.known[0]!;
      return {
        type: ref.isSingle ? BIT : { kind: "bit", width: 1 },
        value: undefined,
        run: memory => BigInt(memory.readBit(bit)),
      };
    }
    return {
      type: ref.isSingle ? BIT : { kind: "bit", width: ref.width ?? WIDEST },
      value: undefined,
      run: memory => {
        let value = 0n;
        const bits = ref.run(memory);
        for (let i = bits.length - 1; i >= 0; i--) value = (value << 1n) | BigInt(memory.readBit(bits[i]!));
        return value;
      },
    };
  }

  #index(node: ExpressionNode & { kind: "index" }): Compiled {
    if (this.places.isPlaces(node)) return this.#bits(node);
    const base = this.compile(node.base);
    const item = node.items[0]!;
    if (
      node.items.length > 1 ||
      item.kind === "range" ||
      item.kind === "set" ||
      !(isInteger(base.type) || base.type.kind === "bit")
    )
      throw fault(node, `This index of a ${typeName(base.type)} is not supported yet.`);
    const index = this.compileTo(item, INT);
    const width = base.type.width ?? 64;
    return this.#combine(
      BIT,
      [base, index],
      (value, at) => {
        const place = (at as bigint) < 0n ? BigInt(width) + (at as bigint) : (at as bigint);
        if (place < 0n || place >= BigInt(width))
          throw new RangeError(`Bit ${place} is outside a value of ${width} bits.`);
        return ((value as bigint) >> place) & 1n;
      },
      node,
    );
  }

  #unary(node: ExpressionNode & { kind: "unary" }, isReals: boolean): Compiled {
    const inner = this.compile(node.operand, isReals);
    const { type } = inner;
    if (node.operator === "!")
      return this.#map(this.#converted(inner, BOOL, node.operand, false), BOOL, value => !value);
    if (node.operator === "~") {
      if (type.kind !== "bit" && type.kind !== "uint")
        throw fault(node, `~ takes bits or a uint, not a ${typeName(type)}.`);
      const width = type.width ?? (type.kind === "bit" ? 1 : 64);
      return this.#map(inner, type, value => BigInt.asUintN(width, ~(value as bigint)));
    }
    if (!isNumeric(type)) throw fault(node, `${node.operator} takes a number, not a ${typeName(type)}.`);
    if (node.operator === "+") return inner;
    if (type.kind === "angle")
      return this.#converted(
        this.#map(inner, FLOAT, value => -(value as number)),
        type,
        node,
        true,
      );
    return this.#map(inner, type.kind === "uint" ? INT : type, value => -(value as bigint));
  }

  #binary(node: ExpressionNode & { kind: "binary" }, isReals: boolean): Compiled {
    const { operator } = node;
    const left = this.compile(node.left, isReals);
    const right = this.compile(node.right, isReals);
    if (isLogical(operator)) {
      const a = this.#converted(left, BOOL, node.left, false);
      const b = this.#converted(right, BOOL, node.right, false);
      const run: Compute =
        operator === "&&"
          ? memory => a.run(memory) && b.run(memory)
          : memory => a.run(memory) || b.run(memory);
      return this.#fold(BOOL, [a, b], run, node);
    }
    if (
      isComparison(operator) &&
      left.type.kind === "bit" &&
      right.type.kind === "bit" &&
      left.type.width !== right.type.width
    ) {
      if ((left.type.width ?? 1) !== (right.type.width ?? 1))
        throw fault(
          node,
          `A ${typeName(left.type)} is compared with a ${typeName(right.type)}; their widths differ.`,
        );
    }
    const found = operate(operator, left.type, right.type, isReals);
    if (!found)
      throw fault(node, `${operator} does not take a ${typeName(left.type)} and a ${typeName(right.type)}.`);
    return this.#combine(found.type, [left, right], found.apply, node);
  }

  #concatenation(node: ExpressionNode & { kind: "concatenation" }): Compiled {
    const parts = node.parts.map(part => this.compile(part));
    let width = 0;
    parts.forEach(({ type }, i) => {
      if (type.kind !== "bit") throw fault(node.parts[i]!, `++ joins bits, not a ${typeName(type)}.`);
      width += type.width ?? 1;
    });
    return this.#combine(
      { kind: "bit", width },
      parts,
      (...values) =>
        values.reduce<bigint>(
          (joined, value, i) => (joined << BigInt(parts[i]!.type.width ?? 1)) | (value as bigint),
          0n,
        ),
      node,
    );
  }

  #call(node: ExpressionNode & { kind: "call" }): Compiled {
    const { name } = node;
    const called = this.context.callSubroutine(node);
    if (called) return called;
    const known = REAL_FUNCTIONS.get(name);
    if (known) {
      const args = this.#args(node, known.arity).map((arg, i) =>
        this.#converted(arg, FLOAT, node.args[i]!, true),
      );
      return this.#combine(known.result, args, (...values) => known.apply(...(values as number[])), node);
    }
    switch (name) {
      case "mod":
      case "pow": {
        const [a, b] = this.#args(node, 2) as [Compiled, Compiled];
        const found = operate(name === "mod" ? "%" : "**", a.type, b.type, false);
        if (!found) throw fault(node, `${name} takes two numbers.`);
        return this.#combine(found.type, [a, b], found.apply, node);
      }
      case "popcount":
        return this.#map(this.#args(node, 1)[0]!, UINT, popcount);
      case "sizeof": {
        const ref =
          node.args[0] && this.places.isPlaces(node.args[0]) ? this.places.resolve(node.args[0]) : null;
        if (ref?.width == null) throw fault(node, "sizeof takes a register.");
        return constant(UINT, BigInt(ref.width));
      }
      case "rotl":
      case "rotr": {
        const [value, by] = this.#args(node, 2) as [Compiled, Compiled];
        const width = value.type.width ?? 1;
        const sign = name === "rotl" ? 1n : -1n;
        return this.#combine(
          value.type,
          [value, by],
          (a, b) => rotateLeft(a as bigint, sign * (b as bigint), width),
          node,
        );
      }
    }
    const names = [...this.context.scope.names("subroutine"), ...REAL_FUNCTIONS.keys(), ...OTHER_FUNCTIONS];
    throw new Fault(node.at, `There is no function ${name}.`, {
      length: name.length,
      hint: didYouMean(name, names),
    });
  }

  #args(node: ExpressionNode & { kind: "call" }, count: number): Compiled[] {
    if (node.args.length !== count)
      throw fault(
        node,
        `${node.name} takes ${count} ${count === 1 ? "argument" : "arguments"}, not ${node.args.length}.`,
      );
    return node.args.map(arg => this.compile(arg));
  }

  #converted(inner: Compiled, type: Type, node: ExpressionNode, isCast: boolean): Compiled {
    const convert = conversion(inner.type, type, isCast);
    if (!convert) {
      const mayCast = !isCast && conversion(inner.type, type, true);
      throw fault(
        node,
        `A ${typeName(inner.type)} cannot ${isCast ? "be turned into" : "stand for"} a ${typeName(type)}.`,
        mayCast ? `Write ${typeName(type)}(…) to turn it into one.` : undefined,
      );
    }
    return this.#map(inner, type, convert);
  }

  #map(inner: Compiled, type: Type, apply: (value: Value) => Value): Compiled {
    return inner.value !== undefined
      ? constant(type, apply(inner.value))
      : { type, value: undefined, run: converted(inner.run, apply) };
  }

  #combine(
    type: Type,
    parts: readonly Compiled[],
    apply: (...values: Value[]) => Value,
    node: ExpressionNode,
  ): Compiled {
    const [a, b] = parts;
    const run: Compute =
      parts.length === 2
        ? memory => apply(a!.run(memory), b!.run(memory))
        : memory => apply(...parts.map(part => part.run(memory)));
    const where = this.context.locate(node.at);
    return this.#fold(
      type,
      parts,
      memory => {
        try {
          return run(memory);
        } catch (error) {
          if (error instanceof RangeError) throw new SimulationError(`${where}: ${error.message}`);
          throw error;
        }
      },
      node,
      run,
    );
  }

  #fold(
    type: Type,
    parts: readonly Compiled[],
    run: Compute,
    node: ExpressionNode,
    evaluate = run,
  ): Compiled {
    if (parts.some(part => part.value === undefined)) return { type, value: undefined, run };
    try {
      return constant(type, evaluate(NO_MEMORY));
    } catch (error) {
      if (error instanceof RangeError) throw fault(node, error.message);
      throw error;
    }
  }
}

/** Thrown where a name is used whose declaration was at fault, which has been reported already. */
export class Silent extends Error {}

/** Makes a fault that covers an expression. */
export function fault(node: { at: number; end: number }, message: string, hint?: string): Fault {
  return new Fault(node.at, message, { length: node.end - node.at, hint });
}

function constant(type: Type, value: Value): Compiled {
  return { type, value, run: () => value };
}
