import type { Compute, Value } from "../circuit/memory.ts";
import { SimulationError } from "../errors.ts";
import type { QirArrays } from "./module.ts";
import { fault, type Operand, type QirOperands } from "./operands.ts";
import type { QirToken, QirTokens } from "./tokens.ts";

/** Reads what goes through memory: single values that a function keeps, and arrays of constants. */
export class QirMemory {
  readonly #tokens: QirTokens;
  readonly #operands: QirOperands;
  readonly #arrays: QirArrays;
  readonly #locate: (at: number) => string;

  constructor(tokens: QirTokens, operands: QirOperands, arrays: QirArrays, locate: (at: number) => string) {
    this.#tokens = tokens;
    this.#operands = operands;
    this.#arrays = arrays;
    this.#locate = locate;
  }

  /** Reads what follows `alloca`, `load` or `getelementptr`, where the operation is one; answers whether it is. */
  read(operation: QirToken, name: string, assign: (value: Compute) => void): boolean {
    const tokens = this.#tokens;
    switch (operation.text) {
      case "alloca":
        this.#operands.type();
        this.#operands.allocate(name);
        this.#rest();
        return true;
      case "load": {
        this.#operands.type();
        tokens.expect(",");
        const run = this.#loaded(operation);
        this.#rest();
        if (typeof run === "function") assign(run);
        else this.#operands.bind(name, run);
        return true;
      }
      case "getelementptr": {
        while (["inbounds", "nuw", "nusw"].includes(tokens.peek().text)) tokens.take();
        const isAggregate = this.#operands.type().startsWith("[");
        tokens.expect(",");
        const base = this.#operands.operand();
        tokens.expect(",");
        let index = this.#operands.operand();
        if (isAggregate && tokens.accept(",")) index = this.#operands.operand();
        if (base.value !== null && index.value !== null)
          this.#operands.bind(name, Number(base.value) + Number(index.value));
        else
          assign(memory =>
            BigInt(Number(base.run(memory)) + Number(BigInt.asIntN(64, index.run(memory) as bigint))),
          );
        return true;
      }
      default:
        return false;
    }
  }

  /** Reads what follows `store`: the value, and the slot that takes it. */
  store(operation: QirToken): { slot: number; value: Compute } {
    const value = this.#operands.operand();
    this.#tokens.expect(",");
    this.#operands.type();
    const target = this.#tokens.take();
    const slot = this.#operands.cell(target.text);
    if (slot === undefined)
      throw fault(operation, "Only what a function allocates for itself can be written to.");
    this.#rest();
    return { slot, value: value.run };
  }

  #loaded(operation: QirToken): Compute | number {
    const { text } = this.#tokens.peek();
    if (text === "ptr" || text.endsWith("*")) this.#operands.type();
    const slot = this.#operands.cell(this.#tokens.peek().text);
    if (slot !== undefined) {
      this.#tokens.take();
      return ({ slots }) => slots[slot]!;
    }
    const pointer: Operand = this.#operands.value("ptr");
    const where = this.#locate(operation.at);
    const at = (place: Value) => {
      const element = this.#arrays.elements[Number(place)];
      if (element === undefined) throw new SimulationError(`${where}: This is outside of the array.`);
      return typeof element === "string" ? BigInt(this.#arrays.places.get(element) ?? 0) : element;
    };
    if (pointer.value === null) return memory => at(pointer.run(memory));
    const element = at(pointer.value);
    return typeof element === "bigint" ? Number(element) : () => element;
  }

  /** Passes over what may stand behind, such as `, align 8`. */
  #rest(): void {
    while (this.#tokens.accept(",")) {
      this.#tokens.take();
      if (this.#tokens.peek().kind === "number") this.#tokens.take();
    }
  }
}
