import type { CircuitParts } from "../../circuit/circuit.ts";
import { isList } from "../../circuit/expression.ts";
import { NATIVE, QELIB1, STDGATES } from "../../circuit/standard.ts";
import { CONSTANTS, REAL_FUNCTIONS, WORD_FUNCTIONS } from "../../circuit/values/functions.ts";
import { type Type, typeName } from "../../circuit/values/types.ts";
import { SimulationError } from "../../errors.ts";
import { remembered } from "../../memoized.ts";
import { KEYWORDS_3 } from "../syntax/token-stream.ts";

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
  readonly global: string[] = [];
  /** Declarations of variables that are not results of the program. */
  readonly local: string[] = [];
  readonly arrays: ArrayNames;
  readonly #registers: Readonly<Record<"qubit" | "bit", readonly (NamedRegister | undefined)[]>>;
  readonly #slots = new Map<number, { readonly name: string; readonly type: Type | null }>();
  readonly #aliases = new Map<string, string>();

  constructor(parts: CircuitParts) {
    const { quantum, classical, numBits, outputs } = parts;
    const qubits = quantum.map(({ name, offset, size }) => {
      const own = name === "$" ? name : this.free.take(name);
      if (name !== "$") this.global.push(`qubit[${size}] ${own};`);
      return { name: own, offset, size, isSingle: false };
    });
    const singles = new Set(outputs.filter(({ type }) => type === "bit").map(({ name }) => name));
    const bits = classical.map(({ name, offset, width }) => {
      const isSingle = singles.has(name);
      const own = this.#declare(this.global, isSingle ? "bit" : `bit[${width}]`, name);
      return { name: own, offset, size: width, isSingle };
    });
    for (const { name, slots } of outputs)
      if (slots && slots.sizes.length === 0) {
        const own = this.#declare(this.global, typeName(slots.type), name);
        this.#slots.set(slots.slots[0]!, { name: own, type: slots.type });
      }
    this.arrays = new ArrayNames(parts, (name, type) => this.#declare(this.global, type, name));
    const first = registerOfEach(bits, numBits).indexOf(undefined);
    if (first >= 0) {
      const size = numBits - first;
      const name = this.#declare(this.local, `bit[${size}]`, "m");
      bits.push({ name, offset: first, size, isSingle: false });
    }
    this.#registers = {
      qubit: registerOfEach(qubits, parts.numQubits),
      bit: registerOfEach(bits, numBits),
    };
    for (const { name, type, isArray } of parts.inputs) {
      if (isArray)
        throw new SimulationError(`The input ${name}, an array, needs a value. Give it one with assign().`);
      if (this.#declare(this.global, `input ${typeName(type)}`, name) !== name)
        throw new SimulationError(
          `${JSON.stringify(name)} cannot be the name of an input: it is taken, or not a word. Use another one, such as "theta".`,
        );
    }
  }

  #declare(declarations: string[], type: string, name: string): string {
    const own = this.free.take(name);
    declarations.push(`${type} ${own};`);
    return own;
  }

  /** Returns the name of a slot, declared with a type; its first type where it has none here. */
  slot(slot: number, type: Type): string {
    const element = this.arrays.element(slot);
    if (element) return element;
    const found = remembered(this.#slots, slot, () => ({ name: this.variable(`v${slot}`, type), type }));
    if (found.type && (found.type.kind !== type.kind || found.type.width !== type.width))
      throw new SimulationError("A place of the memory has values of several types.");
    return found.name;
  }

  /** Declares a variable of the program that is none of its results. */
  variable(name: string, type: Type): string {
    return this.#declare(this.local, typeName(type), name);
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
  nameOf(slot: number): string {
    const found = this.#slots.get(slot);
    if (!found) throw new SimulationError("Operands are used before they are computed.");
    return found.name;
  }

  /** Returns the name of a constant array that is read by its index. */
  table(type: Type, items: readonly string[]): string {
    const own = this.free.take("table");
    this.global.push(`const ${arrayType(type, [items.length])} ${own} = {${items.join(", ")}};`);
    return own;
  }

  one(kind: "qubit" | "bit", place: number): string {
    const { name, offset, isSingle } = this.#registers[kind][place]!;
    if (name === "$") return `$${place - offset}`;
    return isSingle ? name : `${name}[${place - offset}]`;
  }

  /** Returns the size of the declared register that begins with a qubit or bit; 0 for none. */
  sizeFrom(kind: "qubit" | "bit", place: number): number {
    const register = this.#registers[kind][place];
    return register?.offset === place && register.name !== "$" ? register.size : 0;
  }

  /** Returns several qubits or bits: a register, a slice of one, or an alias of what belongs to several. */
  several(kind: "qubit" | "bit", places: readonly number[]): string {
    const [first = 0, second = first + 1] = places;
    const step = second - first;
    const { name, offset, size, isSingle } = this.#registers[kind][first]!;
    const isSlice =
      !isSingle &&
      name !== "$" &&
      step !== 0 &&
      places.every((place, i) => place === first + i * step && place >= offset && place < offset + size);
    if (isSlice) {
      if (step === 1 && places.length === size) return name;
      return `${name}[${first - offset}:${step === 1 ? "" : `${step}:`}${places.at(-1)! - offset}]`;
    }
    return remembered(this.#aliases, `${kind} ${places.join(" ")}`, () => {
      const own = this.free.take(`${kind}s`);
      this.local.push(`let ${own} = ${places.map(place => this.one(kind, place)).join(" ++ ")};`);
      return own;
    });
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
  readonly name: string;
  readonly indices: readonly number[];
  readonly type: Type;
}

class ArrayNames {
  readonly #arrays: NamedArray[] = [];
  readonly #types = new Map<number, Type>();

  /** Declares the arrays that are results of the program, and those whose elements are found by computed indices. */
  constructor({ outputs, body }: CircuitParts, declare: (name: string, type: string) => string) {
    const add = (wanted: string, slots: readonly number[], sizes: readonly number[], type: Type) => {
      const [first = 0] = slots;
      if (slots.some((slot, i) => slot !== first + i)) return;
      this.#arrays.push({ name: declare(wanted, arrayType(type, sizes)), first, sizes, type });
    };
    for (const { name, slots } of outputs)
      if (slots && slots.sizes.length > 0) add(name, slots.slots, slots.sizes, slots.type);
    const found: { slots: readonly number[]; sizes: readonly number[]; type: Type }[] = [];
    visitSlots(body, (slots, sizes, type) => {
      if (sizes) found.push({ slots, sizes, type });
      else this.#types.set(slots[0]!, type);
    });
    for (const { slots, sizes, type } of found.sort((a, b) => b.slots.length - a.slots.length))
      if (!this.#arrayOf(slots[0]!)) add(`a${slots[0]}`, slots, sizes, type);
  }

  /** Returns the element that a slot holds; undefined where it belongs to no array. */
  element(slot: number): string | undefined {
    const array = this.#arrayOf(slot);
    return array && partText({ name: array.name, indices: indicesAt(array, slot) });
  }

  /** Returns the type of the values that a slot holds; undefined where it is never read. */
  typeOf(slot: number): Type | undefined {
    return this.#arrayOf(slot)?.type ?? this.#types.get(slot);
  }

  /** Returns the part of an array that slots make up. Returns null where they make up none. */
  part(slots: readonly number[]): ArrayPart | null {
    const [first = 0] = slots;
    const array = this.#arrayOf(first);
    const isStraight = slots.every((slot, i) => slot === first + i);
    for (let lead = 0; array && isStraight && lead <= array.sizes.length; lead++) {
      const isPart = sizeOf(array.sizes.slice(lead)) === slots.length;
      if (isPart && (first - array.first) % slots.length === 0)
        return { name: array.name, indices: indicesAt(array, first).slice(0, lead), type: array.type };
    }
    return null;
  }

  #arrayOf(slot: number): NamedArray | undefined {
    return this.#arrays.find(({ first, sizes }) => slot >= first && slot < first + sizeOf(sizes));
  }
}

const sizeOf = (sizes: readonly number[]): number => sizes.reduce((all, size) => all * size, 1);

/** Returns the indices of an element of an array by its slot. */
function indicesAt({ first, sizes }: NamedArray, slot: number): number[] {
  let rest = slot - first;
  const indices = sizes.toReversed().map(size => {
    const index = rest % size;
    rest = (rest - index) / size;
    return index;
  });
  return indices.reverse();
}

/** Writes a part of an array, with further indices. */
export function partText({ name, indices }: Omit<ArrayPart, "type">, more: readonly string[] = []): string {
  const all = [...indices, ...more];
  return all.length > 0 ? `${name}[${all.join(", ")}]` : name;
}

const arrayType = (type: Type, sizes: readonly number[]): string =>
  `array[${[typeName(type), ...sizes].join(", ")}]`;

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
