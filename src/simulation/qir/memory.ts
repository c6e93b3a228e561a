import type { Instruction } from "../circuit/circuit.ts";
import type { Compute, Value } from "../circuit/memory.ts";
import { SimulationError } from "../errors.ts";
import type { QirArrays } from "./module.ts";
import { fault, type Operand, type QirOperands } from "./operands.ts";
import type { QirToken, QirTokens } from "./tokens.ts";

/** The address of slot 0; what is below is the place of a constant. */
const STACK = 2 ** 40;

/** Reads what goes through memory: values and arrays that a function keeps, and arrays of constants. */
export class QirMemory {
  readonly #tokens: QirTokens;
  readonly #operands: QirOperands;
  readonly #arrays: QirArrays;
  readonly #locate: (at: number) => string;
  readonly #newSlots: (count: number, at: number) => number;
  /** Slots that can be loaded and stored. */
  readonly #stack = new Set<number>();

  constructor(
    tokens: QirTokens,
    operands: QirOperands,
    arrays: QirArrays,
    newSlots: (count: number, at: number) => number,
    locate: (at: number) => string,
  ) {
    this.#tokens = tokens;
    this.#operands = operands;
    this.#arrays = arrays;
    this.#newSlots = newSlots;
    this.#locate = locate;
  }

  /** Takes slots next to each other and gives the address of the first. */
  allocate(count: number, at: number): number {
    const first = this.#newSlots(count, at);
    for (let i = 0; i < count; i++) this.#stack.add(first + i);
    return STACK + first;
  }

  /** Returns the slot of an address, or undefined where there is none. */
  slotAt(address: Value): number | undefined {
    const slot = Number(address) - STACK;
    return this.#stack.has(slot) ? slot : undefined;
  }

  /** Reads what follows `alloca`, `load`, `getelementptr` or `bitcast`, where the operation is one; answers whether it is. */
  read(operation: QirToken, name: string, assign: (value: Compute) => void): boolean {
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
        this.#operands.type();
        tokens.expect(",");
        const run = this.#loaded(operation);
        this.#rest();
        if (typeof run === "function") assign(run);
        else this.#operands.bind(name, run);
        return true;
      }
      case "getelementptr":
        this.#element(name, assign);
        return true;
      case "bitcast": {
        const { type, value, run } = this.#operands.operand();
        if (type !== "ptr" && !type.endsWith("*"))
          throw fault(operation, `A value of the type ${type} is not read as one of another type.`);
        tokens.expect("to");
        this.#operands.type();
        if (value === null) assign(run);
        else this.#operands.bind(name, Number(value));
        return true;
      }
      default:
        return false;
    }
  }

  /** Reads what follows `store`, and gives the instruction that does it. */
  store(operation: QirToken): Instruction {
    const { run: value } = this.#operands.operand();
    this.#tokens.expect(",");
    const pointer = this.#operands.operand();
    this.#rest();
    if (pointer.value !== null) {
      const slot = this.slotAt(pointer.value);
      if (slot === undefined)
        throw fault(operation, "Only what a function allocates for itself can be written to.");
      return { kind: "assign", slot, value };
    }
    const where = this.#locate(operation.at);
    const slots = (memory: Parameters<Compute>[0]) => {
      const slot = this.slotAt(pointer.run(memory));
      if (slot === undefined) throw new SimulationError(`${where}: This is outside of the array.`);
      return [slot];
    };
    return { kind: "scatter", slots, values: memory => [value(memory)] };
  }

  /** Reads what follows `getelementptr`: a type, a pointer, and an index for each level of the type. */
  #element(name: string, assign: (value: Compute) => void): void {
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
    const at = (address: Value, values: readonly Value[]) =>
      values.reduce<number>(
        (sum, value, i) => sum + Number(BigInt.asIntN(64, value as bigint)) * indices[i]!.stride,
        Number(address),
      );
    const known = indices.map(({ index }) => index.value);
    if (base.value !== null && !known.includes(null))
      this.#operands.bind(name, at(base.value, known as Value[]));
    else
      assign(memory =>
        BigInt(
          at(
            base.run(memory),
            indices.map(({ index }) => index.run(memory)),
          ),
        ),
      );
  }

  #loaded(operation: QirToken): Compute | number {
    const pointer = this.#operands.operand();
    const slot = pointer.value === null ? undefined : this.slotAt(pointer.value);
    if (slot !== undefined) return ({ slots }) => slots[slot]!;
    const where = this.#locate(operation.at);
    const constantAt = (place: Value) => {
      const element = this.#arrays.elements[Number(place)];
      if (element === undefined) throw new SimulationError(`${where}: This is outside of the array.`);
      return typeof element === "string" ? BigInt(this.#arrays.places.get(element) ?? 0) : element;
    };
    if (pointer.value === null)
      return memory => {
        const address = pointer.run(memory);
        const found = this.slotAt(address);
        return found === undefined ? constantAt(address) : memory.slots[found]!;
      };
    const element = constantAt(pointer.value);
    return typeof element === "bigint" ? Number(element) : () => element;
  }

  #count({ value }: Operand, operation: QirToken): number {
    if (typeof value !== "bigint" || value < 0n)
      throw fault(operation, "How much is allocated has to be known before the run.");
    return Number(value);
  }

  #attribute(): void {
    this.#tokens.take();
    if (this.#tokens.peek().kind === "number") this.#tokens.take();
  }

  /** Passes over what may stand behind, such as `, align 8`. */
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
