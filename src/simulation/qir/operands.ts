import type { CircuitBuilder } from "../circuit/builder.ts";
import { constant, type Expression } from "../circuit/expression.ts";
import type { Value } from "../circuit/memory.ts";
import { wrap } from "../circuit/values/types.ts";
import { remembered } from "../memoized.ts";
import { errorAt } from "../openqasm/diagnostics/diagnostic.ts";
import type { CompileLimits } from "../openqasm/syntax/limits.ts";
import { isReal, typeOf } from "./arithmetic.ts";
import type { QirToken, QirTokens } from "./tokens.ts";

/** An operand: a value, or the number of a qubit or result. */
export interface Operand {
  readonly type: string;
  readonly value: Value | null;
  readonly node: Expression;
  readonly at: number;
  /** The name of the constant that it points to, if it does. */
  readonly constant?: string;
}

const MAX_TYPE_DEPTH = 64;
/** Words for values that are taken to be 0. */
const ZEROS: ReadonlySet<string> = new Set(["null", "zeroinitializer", "undef", "poison"]);
/** Words in front of an operand that promise something about it. */
const ATTRIBUTES = ["nonnull", "writeonly", "readonly", "noundef", "nocapture"];

/** A register of a function: its slot, where it was read first, and whether it is set anywhere. */
interface Register {
  readonly slot: number;
  read: QirToken | null;
  isSet: boolean;
}

/** Context of reading a function: what all of its parts share. */
export interface QirContext {
  readonly tokens: QirTokens;
  readonly builder: CircuitBuilder;
  readonly limits: CompileLimits;
  readonly operands: QirOperands;
  /** Takes slots next to each other and returns the first. */
  newSlots(count: number, at: number): number;
}

/** Reads the operands of instructions; a register is a slot of the classical memory. */
export class QirOperands {
  readonly #context: Pick<QirContext, "tokens" | "newSlots">;
  readonly #tokens: QirTokens;
  readonly #arrays: ReadonlyMap<string, number>;
  readonly #use: (slot: number) => void;
  #registers = new Map<string, Register>();
  /** Registers whose value is known: parameters of the function that is called, and places of constants. */
  #bound = new Map<string, Operand>();

  /** Takes the addresses of arrays, and what hears of each slot that is set or read. */
  constructor(
    context: Pick<QirContext, "tokens" | "newSlots">,
    arrays: ReadonlyMap<string, number>,
    use: (slot: number) => void,
  ) {
    this.#context = context;
    this.#tokens = context.tokens;
    this.#arrays = arrays;
    this.#use = use;
  }

  /** Returns the slot of a register that is set. */
  slot(name: string, at = 0): number {
    const register = this.#register(name, at);
    register.isSet = true;
    return register.slot;
  }

  #register(name: string, at: number): Register {
    const register = remembered(this.#registers, name, () => ({
      ...{ slot: this.#context.newSlots(1, at), read: null, isSet: false },
    }));
    this.#use(register.slot);
    return register;
  }

  /** Reads the body of a function with new registers; its parameters are bound to the given operands. */
  within(params: ReadonlyMap<string, Operand>, read: () => void): void {
    const [registers, bound] = [this.#registers, this.#bound];
    this.#registers = new Map();
    this.#bound = new Map(params);
    read();
    for (const [name, { read, isSet }] of this.#registers)
      if (read && !isSet) throw errorAt(read, `The register ${name.slice(0, 60)} is never set.`);
    this.#registers = registers;
    this.#bound = bound;
  }

  /** Makes a register stand for a number that is known. */
  bind(name: string, value: number): void {
    const known = BigInt(value);
    this.#bound.set(name, { type: "ptr", value: known, node: constant(typeOf("ptr"), known), at: 0 });
  }

  list(count: number): Operand[] {
    return Array.from({ length: count }, (_, i) => {
      if (i > 0) this.#tokens.expect(",");
      return this.operand();
    });
  }

  operand(): Operand {
    const type = this.type();
    while (ATTRIBUTES.includes(this.#tokens.peek().text)) this.#tokens.take();
    return this.value(type);
  }

  type(): string {
    const token = this.#tokens.take();
    let text = token.text;
    for (let depth = text === "[" ? 1 : 0; depth > 0; ) {
      const part = this.#tokens.take();
      if (part.text === "[") depth++;
      else if (part.text === "]") depth--;
      if (part.kind === "end" || depth > MAX_TYPE_DEPTH) throw errorAt(token, "This is not an array type.");
      text += part.text;
    }
    if (text === "{" || text === "<")
      throw errorAt(token, "Aggregates are outside of QIR's base and adaptive profiles.");
    while (this.#tokens.accept("*")) text += "*";
    return text;
  }

  value(type: string): Operand {
    const token = this.#tokens.take();
    const { text, at } = token;
    const known = (value: bigint | number): Operand => {
      const own = typeOf(type);
      const kept = isReal(type) ? Number(value) : wrap(BigInt(value), own);
      return { type, value, node: constant(own, kept), at };
    };
    if (token.kind === "name" && text.startsWith("%")) {
      const given = this.#bound.get(text);
      if (given) return { ...given, at };
      const register = this.#register(text, at);
      register.read ??= token;
      const { slot } = register;
      return { type, value: null, node: { kind: "slot", type: typeOf(type), slot }, at };
    }
    if (text === "true" || text === "false") return known(text === "true" ? 1n : 0n);
    if (ZEROS.has(text) || token.kind === "string") return known(0n);
    if (text === "inttoptr" || text === "getelementptr" || text === "bitcast") {
      const { number, name } = this.#pointer();
      return { ...known(number), constant: name };
    }
    if (token.kind === "name" && text.startsWith("@"))
      return { ...known(BigInt(this.#arrays.get(text) ?? 0)), constant: text };
    if (token.kind === "number" && !isReal(type)) return known(whole(text));
    if (token.kind === "number" && Number.isFinite(real(text))) return known(real(text));
    throw errorAt(token, `\`${text.slice(0, 24)}\` is not a value here.`);
  }

  /** Reads `(i64 3 to %Qubit*)`, or passes over the address of a label. */
  #pointer(): { number: bigint; name: string | undefined } {
    const tokens = this.#tokens;
    while (tokens.peek().text !== "(") tokens.take();
    tokens.expect("(");
    let depth = 1;
    let number: bigint | undefined;
    let name: string | undefined;
    while (depth > 0) {
      const token = tokens.take();
      if (token.kind === "end") throw errorAt(token, "A parenthesis is never closed.");
      if (token.text === "(") depth++;
      else if (token.text === ")") depth--;
      else if (token.kind === "number") number ??= whole(token.text);
      else if (token.kind === "name" && token.text.startsWith("@")) name ??= token.text;
    }
    return { number: number ?? 0n, name };
  }
}

/** Reads a whole number; of one with an exponent or a point what is in front of it. */
export const whole = (text: string): bigint =>
  BigInt(/^(?:0x[0-9A-Fa-f]+|-?\d+)/.exec(text.slice(0, LONGEST_NUMBER).replace(/^\+/, ""))?.[0] ?? 0);

/** Characters beyond which a whole number has no type. */
const LONGEST_NUMBER = 400;

/** Reads a real number; hexadecimal digits are the bits of a double. */
export function real(text: string): number {
  if (!text.startsWith("0x")) return Number(text);
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt.asUintN(64, BigInt(text)));
  return view.getFloat64(0);
}
