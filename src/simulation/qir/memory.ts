import { constant, type Expression, type OperandIndices } from "../circuit/expression.ts";
import type { Value } from "../circuit/memory.ts";
import type { Statement } from "../circuit/statement.ts";
import { BOOL, type Type } from "../circuit/values/types.ts";
import { errorAt } from "../openqasm/diagnostics/diagnostic.ts";
import { castTo, typeOf } from "./arithmetic.ts";
import type { QirArrays } from "./module.ts";
import type { Operand, QirContext, QirOperands } from "./operands.ts";
import type { QirToken, QirTokens } from "./tokens.ts";

/** The address of slot 0; what is below is the place of a constant. */
const STACK = 2 ** 40;

/** Reads what goes through memory: values and arrays that a function keeps, and arrays of constants. */
export class QirMemory {
  readonly #context: QirContext;
  readonly #tokens: QirTokens;
  readonly #operands: QirOperands;
  /** The slots that can be loaded and stored, by their addresses. */
  readonly #stack = new Map<number, number>();
  /** The constants that can be loaded; the address of each is its place. */
  readonly #constants: readonly Value[];

  constructor(context: QirContext, arrays: QirArrays) {
    this.#context = context;
    this.#tokens = context.tokens;
    this.#operands = context.operands;
    this.#constants = arrays.elements.map(element =>
      typeof element === "string" ? BigInt(arrays.places.get(element) ?? 0) : element,
    );
  }

  /** Takes slots next to each other and returns the address of the first. */
  allocate(count: number, at: number): number {
    const first = this.#context.newSlots(count, at);
    for (let i = 0; i < count; i++) this.#stack.set(STACK + first + i, first + i);
    return STACK + first;
  }

  /** Returns the slot of an address, or undefined where there is none. */
  slotAt(address: Value): number | undefined {
    return this.#stack.get(Number(address));
  }

  /** Reads what follows `alloca`, `load`, `getelementptr` or `bitcast`, where the operation is one; returns whether it is. */
  read(operation: QirToken, name: string, assign: (value: Expression) => void): boolean {
    const tokens = this.#tokens;
    switch (operation.text) {
      case "alloca": {
        let count = sizeOf(this.#operands.type());
        while (tokens.accept(",")) {
          const { text } = tokens.peek();
          if (text === "align" || text.startsWith("addrspace") || text.startsWith("!")) this.#attribute();
          else count *= this.#count(this.#operands.operand(), operation);
        }
        this.#operands.bind(name, this.allocate(count, operation.at));
        return true;
      }
      case "load": {
        const type = typeOf(this.#operands.type());
        tokens.expect(",");
        const loaded = this.#loaded(operation, type);
        this.#rest();
        if (typeof loaded === "number") this.#operands.bind(name, loaded);
        else assign(loaded);
        return true;
      }
      case "getelementptr":
        this.#element(name, assign);
        return true;
      case "bitcast": {
        const { type, value, node } = this.#operands.operand();
        if (type !== "ptr" && !type.endsWith("*"))
          throw errorAt(operation, `A value of the type ${type} is not read as one of another type.`);
        tokens.expect("to");
        this.#operands.type();
        if (value === null) assign(node);
        else this.#operands.bind(name, Number(value));
        return true;
      }
      default:
        return false;
    }
  }

  /** Reads what follows `store`, and returns the statement that does it. */
  store(operation: QirToken): Statement {
    const { node: value } = this.#operands.operand();
    this.#tokens.expect(",");
    const pointer = this.#operands.operand();
    this.#rest();
    if (pointer.value !== null) {
      const slot = this.slotAt(pointer.value);
      if (slot === undefined)
        throw errorAt(operation, "Only what a function allocates for itself can be written to.");
      return { kind: "assign", slot, value };
    }
    const slots = this.#slotsAt(pointer.node, operation);
    return { kind: "fill", slots, values: { kind: "values", values: [value] } };
  }

  #slotsAt(index: Expression, { at }: QirToken): OperandIndices {
    return { kind: "mapped", index, table: this.#stack, of: "element", at };
  }

  /** Reads what follows `getelementptr`: a type, a pointer, and an index for each level of the type. */
  #element(name: string, assign: (value: Expression) => void): void {
    const tokens = this.#tokens;
    while (["inbounds", "nuw", "nusw"].includes(tokens.peek().text)) tokens.take();
    let type = this.#operands.type();
    tokens.expect(",");
    const base = this.#operands.operand();
    const indices: { index: Operand; stride: number }[] = [];
    while (tokens.accept(",")) {
      indices.push({ index: this.#operands.operand(), stride: sizeOf(type) });
      type = elementOf(type);
    }
    const known = indices.map(({ index }) => index.value);
    if (base.value !== null && !known.includes(null)) {
      const steps = known.map((value, i) => Number(BigInt.asIntN(64, value as bigint)) * indices[i]!.stride);
      this.#operands.bind(
        name,
        steps.reduce((sum, step) => sum + step, Number(base.value)),
      );
      return;
    }
    const word = typeOf("ptr");
    const apply = (operator: string, left: Expression, right: Expression): Expression => ({
      ...{ kind: "binary", operator, type: word, left, right },
    });
    assign(
      indices.reduce((sum, { index: { node }, stride }) => {
        const index = castTo(word, castTo({ kind: "int", width: node.type.width }, node));
        return apply("+", sum, apply("*", index, constant(word, BigInt(stride))));
      }, base.node),
    );
  }

  #loaded(operation: QirToken, type: Type): Expression | number {
    const pointer = this.#operands.operand();
    const slot = pointer.value === null ? undefined : this.slotAt(pointer.value);
    if (slot !== undefined) return { kind: "slot", type, slot };
    const { at } = operation;
    const { node } = pointer;
    if (pointer.value === null) {
      const right = constant(node.type, BigInt(STACK));
      return {
        kind: "select",
        type,
        condition: { kind: "binary", operator: ">=", type: BOOL, left: node, right },
        yes: { kind: "element", type, slots: this.#slotsAt(node, operation) },
        no: { kind: "lookup", type, table: this.#constants, index: node, at },
      };
    }
    const element = this.#constants[Number(pointer.value)];
    if (element === undefined) throw errorAt(operation, "This is outside of the array.");
    return typeof element === "bigint" ? Number(element) : constant(type, element);
  }

  #count({ value }: Operand, operation: QirToken): number {
    if (typeof value !== "bigint" || value < 0n)
      throw errorAt(operation, "How much is allocated has to be known before the run.");
    return Number(value);
  }

  #attribute(): void {
    this.#tokens.take();
    if (this.#tokens.peek().kind === "number") this.#tokens.take();
  }

  /** Skips what may follow, such as `, align 8`. */
  #rest(): void {
    while (this.#tokens.accept(",")) this.#attribute();
  }
}

/** Returns how many values a type such as `[2x[3xi64]]` holds. */
function sizeOf(type: string): number {
  const found = /^\[(\d{1,9})x(.*)\]$/.exec(type);
  return found ? Number(found[1]) * sizeOf(found[2]!) : 1;
}

/** Returns the type of the elements of an array; of anything else the type itself. */
const elementOf = (type: string): string => /^\[\d{1,9}x(.*)\]$/.exec(type)?.[1] ?? type;
