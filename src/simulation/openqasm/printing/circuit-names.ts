import type { CircuitParts } from "../../circuit/circuit.ts";
import { isList } from "../../circuit/expression.ts";
import { NATIVE, QELIB1, STDGATES } from "../../circuit/standard.ts";
import { CONSTANTS, REAL_FUNCTIONS, WORD_FUNCTIONS } from "../../circuit/values/functions.ts";
import type { Type } from "../../circuit/values/types.ts";
import { SimulationError } from "../../errors.ts";
import type { ExpressionNode, StatementNode, TypeNode } from "../syntax/ast.ts";
import { KEYWORDS_3 } from "../syntax/token-stream.ts";
import {
  classicalNode,
  expressionNode,
  indexNode,
  integerNode,
  nameExpression,
  nameNode,
  rangeNode,
  statementNode,
  typeNode,
} from "./syntax-nodes.ts";

/** A declared register: its name, and the numbers of its qubits or bits. */
interface NamedRegister {
  readonly name: string;
  readonly offset: number;
  readonly size: number;
  readonly isSingle: boolean;
}

/** Names of a circuit's qubits, bits and slots, and their declarations. */
export class CircuitNames {
  readonly free = new FreeNames();
  /** Declarations visible in the whole program: registers, arrays and its results. */
  readonly global: StatementNode[] = [];
  /** Declarations of variables that are not results of the program. */
  readonly local: StatementNode[] = [];
  readonly arrays: ArrayNames;
  readonly #qubits: readonly (NamedRegister | undefined)[];
  readonly #bits: readonly (NamedRegister | undefined)[];
  readonly #slots = new Map<number, { readonly name: string; readonly type: Type | null }>();
  readonly #aliases = new Map<string, string>();
  readonly #inputs = new Map<string, string>();

  constructor(parts: CircuitParts) {
    const { quantum, classical, numBits, outputs } = parts;
    const qubits = quantum.map(({ name, offset, size }) => {
      if (name === "$") return { name, offset, size, isSingle: false };
      const own = this.free.take(name);
      this.global.push(statementNode({ kind: "quantum", name: nameNode(own), size: integerNode(size) }));
      return { name: own, offset, size, isSingle: false };
    });
    const singles = new Set(outputs.filter(({ type }) => type === "bit").map(({ name }) => name));
    const bits = classical.map(({ name, offset, width }) => {
      const isSingle = singles.has(name);
      const own = this.free.take(name);
      this.global.push(classicalNode(typeNode({ kind: "bit", width: isSingle ? null : width }), own));
      return { name: own, offset, size: width, isSingle };
    });
    for (const { name, slots } of outputs)
      if (slots && slots.sizes.length === 0) {
        const [slot] = slots.slots as [number];
        const own = this.free.take(name);
        this.#slots.set(slot, { name: own, type: slots.type });
        this.global.push(classicalNode(typeNode(slots.type), own));
      }
    this.arrays = new ArrayNames(parts, this.free, this.global);
    this.#qubits = registerOfEach(qubits, parts.numQubits);
    const named = registerOfEach(bits, numBits);
    const first = named.indexOf(undefined);
    if (first >= 0) {
      const own = this.free.take("m");
      const size = numBits - first;
      this.local.push(classicalNode(typeNode({ kind: "bit", width: size }), own));
      bits.push({ name: own, offset: first, size, isSingle: false });
    }
    this.#bits = registerOfEach(bits, numBits);
    for (const { name, type, isArray } of parts.inputs) {
      if (isArray)
        throw new SimulationError(`The input ${name}, an array, needs a value. Give it one with assign().`);
      const own = this.free.take(name);
      if (own !== name)
        throw new SimulationError(
          `${JSON.stringify(name)} cannot be the name of an input: it is taken, or not a word. Use another one, such as "theta".`,
        );
      this.#inputs.set(name, own);
      this.global.push(classicalNode(typeNode(type), own, null, "input"));
    }
  }

  /** Returns the name of a slot, declared with a type; its first type where it has none here. */
  slot(slot: number, type: Type): ExpressionNode {
    const element = this.arrays.element(slot);
    if (element) return element;
    let found = this.#slots.get(slot);
    if (!found) {
      found = { name: this.free.take(`v${slot}`), type };
      this.#slots.set(slot, found);
      this.local.push(classicalNode(typeNode(type), found.name));
    }
    if (found.type && (found.type.kind !== type.kind || found.type.width !== type.width))
      throw new SimulationError("A place of the memory has values of several types.");
    return nameExpression(found.name);
  }

  /** Declares a variable that the circuit has no slot for. */
  variable(name: string, type: Type): ExpressionNode {
    const own = this.free.take(name);
    this.local.push(classicalNode(typeNode(type), own));
    return nameExpression(own);
  }

  /** Names a slot that a statement declares itself, such as that of operands that are computed once. */
  declared(slot: number, wanted = `r${slot}`): string {
    const name = this.free.take(wanted);
    this.#slots.set(slot, { name, type: null });
    return name;
  }

  /** Names the variable of a loop while its body is written; a loop after it may have the same one. */
  withVariable<T>(slot: number, write: (name: string) => T): T {
    const name = [..."ijklmn"].find(letter => !this.free.has(letter)) ?? `i${slot}`;
    const own = this.declared(slot, name);
    const made = write(own);
    this.free.release(own);
    return made;
  }

  /** Returns the name of a slot that a statement has declared. */
  nameOf(slot: number): ExpressionNode {
    const found = this.#slots.get(slot);
    if (!found) throw new SimulationError("Operands are used before they are computed.");
    return nameExpression(found.name);
  }

  /** Returns the name of an input that has no value. */
  input = (name: string): ExpressionNode => nameExpression(this.#inputs.get(name)!);

  /** Returns a constant array that is read by its index. */
  table(type: TypeNode, items: readonly ExpressionNode[]): ExpressionNode {
    const own = this.free.take("table");
    const array = { element: type, sizes: [integerNode(items.length)], dimensions: null, access: null };
    this.global.push(
      classicalNode({ ...type, array }, own, expressionNode({ kind: "array", items }), "const"),
    );
    return nameExpression(own);
  }

  one(kind: "qubit" | "bit", place: number): ExpressionNode {
    const register = this.#registerOf(kind, place);
    const index = place - register.offset;
    if (register.name === "$") return expressionNode({ kind: "hardware", index });
    const name = nameExpression(register.name);
    return register.isSingle ? name : indexNode(name, integerNode(index));
  }

  /** Returns the size of the declared register that begins with a qubit or bit; 0 for none. */
  sizeFrom(kind: "qubit" | "bit", place: number): number {
    const register = (kind === "qubit" ? this.#qubits : this.#bits)[place];
    return register?.offset === place && register.name !== "$" ? register.size : 0;
  }

  /** Returns several qubits or bits: a register, a slice of one, or an alias of what belongs to several. */
  several(kind: "qubit" | "bit", places: readonly number[]): ExpressionNode {
    const [first = 0, second = first + 1] = places;
    const step = second - first;
    const register = this.#registerOf(kind, first);
    const { name, offset, size } = register;
    const isSlice =
      !register.isSingle &&
      name !== "$" &&
      step !== 0 &&
      places.every((place, i) => place === first + i * step && place >= offset && place < offset + size);
    if (!isSlice) return this.#alias(kind, places);
    if (step === 1 && places.length === size) return nameExpression(name);
    const [start, stop] = [integerNode(first - offset), integerNode(places.at(-1)! - offset)];
    return indexNode(nameExpression(name), rangeNode(start, step === 1 ? null : integerNode(step), stop));
  }

  #alias(kind: "qubit" | "bit", places: readonly number[]): ExpressionNode {
    const key = `${kind} ${places.join(" ")}`;
    let name = this.#aliases.get(key);
    if (!name) {
      name = this.free.take(kind === "qubit" ? "qubits" : "bits");
      this.#aliases.set(key, name);
      const parts = places.map(place => this.one(kind, place));
      const value = parts.length === 1 ? parts[0]! : expressionNode({ kind: "concatenation", parts });
      this.local.push(statementNode({ kind: "alias", name: nameNode(name), value }));
    }
    return nameExpression(name);
  }

  #registerOf(kind: "qubit" | "bit", place: number): NamedRegister {
    return (kind === "qubit" ? this.#qubits : this.#bits)[place]!;
  }
}

/** Returns for each number the first register that has it. */
function registerOfEach(registers: readonly NamedRegister[], count: number): (NamedRegister | undefined)[] {
  const each = new Array<NamedRegister | undefined>(count).fill(undefined);
  for (const register of registers)
    for (let i = register.offset; i < register.offset + register.size; i++) each[i] ??= register;
  return each;
}

/** An array in slots next to each other, those of its last dimension nearest. */
interface NamedArray {
  readonly name: string;
  readonly first: number;
  readonly sizes: readonly number[];
  readonly type: Type;
}

/** A part of an array: all elements that begin with some indices. */
interface ArrayPart {
  readonly node: ExpressionNode;
  readonly sizes: readonly number[];
  readonly type: Type;
}

class ArrayNames {
  readonly #arrays: NamedArray[] = [];
  readonly #types = new Map<number, Type>();

  /** Declares the arrays that are results of the program, and those whose elements are found by computed indices. */
  constructor({ outputs, body }: CircuitParts, free: FreeNames, global: StatementNode[]) {
    const declare = (name: string, slots: readonly number[], sizes: readonly number[], type: Type) => {
      const [first = 0] = slots;
      if (slots.some((slot, i) => slot !== first + i)) return;
      const own = free.take(name);
      this.#arrays.push({ name: own, first, sizes, type });
      global.push(classicalNode(arrayType(type, sizes), own));
    };
    for (const { name, slots } of outputs)
      if (slots && slots.sizes.length > 0) declare(name, slots.slots, slots.sizes, slots.type);
    const found: { slots: readonly number[]; sizes: readonly number[]; type: Type }[] = [];
    visitSlots(body, (slots, sizes, type) => {
      if (sizes) found.push({ slots, sizes, type });
      else this.#types.set(slots[0]!, type);
    });
    for (const { slots, sizes, type } of found.sort((a, b) => b.slots.length - a.slots.length))
      if (!this.#arrayOf(slots[0]!)) declare(`a${slots[0]}`, slots, sizes, type);
  }

  /** Returns the element that a slot holds; undefined where it belongs to no array. */
  element(slot: number): ExpressionNode | undefined {
    const array = this.#arrayOf(slot);
    return array && indexed(array, slot - array.first, array.sizes.length);
  }

  /** Returns the type of the values that a slot holds; undefined where it is never read. */
  typeOf(slot: number): Type | undefined {
    return this.#arrayOf(slot)?.type ?? this.#types.get(slot);
  }

  /** Returns the part of an array that slots make up. Returns null where they make up none. */
  part(slots: readonly number[]): ArrayPart | null {
    const array = this.#arrayOf(slots[0]!);
    const offset = slots[0]! - (array?.first ?? 0);
    const isStraight = slots.every((slot, i) => slot === slots[0]! + i);
    for (let lead = 0; array && isStraight && lead <= array.sizes.length; lead++) {
      const sizes = array.sizes.slice(lead);
      if (sizes.reduce((all, size) => all * size, 1) === slots.length && offset % slots.length === 0)
        return { node: indexed(array, offset, lead), sizes, type: array.type };
    }
    return null;
  }

  #arrayOf(slot: number): NamedArray | undefined {
    return this.#arrays.find(
      ({ first, sizes }) => slot >= first && slot < first + sizes.reduce((all, size) => all * size, 1),
    );
  }
}

/** Indexes as many dimensions of an array as `count` by the place of an element. */
function indexed({ name, sizes }: NamedArray, place: number, count: number): ExpressionNode {
  let rest = place;
  const indices = sizes.toReversed().map(size => {
    const index = rest % size;
    rest = (rest - index) / size;
    return index;
  });
  const items = indices.toReversed().slice(0, count).map(integerNode);
  return items.length > 0 ? indexNode(nameExpression(name), ...items) : nameExpression(name);
}

function arrayType(type: Type, sizes: readonly number[]): TypeNode {
  const element = typeNode(type);
  const array = { element, sizes: sizes.map(integerNode), dimensions: null, access: null };
  return { ...element, array };
}

/**
 * Calls back for each slot that is read, and with `sizes` for each array an element of which is found by a computed
 * index; statements and expressions are plain data.
 */
function visitSlots(
  node: unknown,
  visit: (slots: readonly number[], sizes: readonly number[] | null, type: Type) => void,
): void {
  if (typeof node !== "object" || node === null) return;
  const { kind, type, slot, slots } = node as Partial<Record<"kind" | "slot", unknown>> & {
    readonly type?: Type;
    readonly slots?: { readonly kind?: string };
  };
  if (kind === "slot" && type) visit([slot as number], null, type);
  if (kind === "element" && type && slots?.kind === "elements") {
    const { base, sizes } = slots as unknown as { base: readonly number[]; sizes: readonly number[] };
    if (isList(base)) visit(base, sizes, type);
  }
  for (const inner of Array.isArray(node) ? node : Object.values(node)) visitSlots(inner, visit);
}

/** Finds unique names for declarations that are neither keywords nor names of gates. */
class FreeNames {
  readonly #taken = new Set<string>([
    ...KEYWORDS_3,
    ...[...STDGATES, ...QELIB1, ...NATIVE].map(({ name }) => name),
    ...CONSTANTS.keys(),
    ...REAL_FUNCTIONS.keys(),
    ...WORD_FUNCTIONS,
    ...["U", "gphase", "real", "imag"],
  ]);

  readonly #repeats = new Map<string, number>();

  has(name: string): boolean {
    return this.#taken.has(name);
  }

  release(name: string): void {
    this.#taken.delete(name);
  }

  /** Returns a name, with a line under it, or that and a number, where it is taken already. */
  take(name: string): string {
    const own = name.replace(/[^\p{L}\p{Nd}_]/gu, "_").replace(/^\p{Nd}/u, "_$&");
    let free = own;
    while (this.#taken.has(free)) {
      const repeat = (this.#repeats.get(own) ?? 0) + 1;
      this.#repeats.set(own, repeat);
      free = repeat === 1 ? `${own}_` : `${own}_${repeat}`;
    }
    this.#taken.add(free);
    return free;
  }
}
