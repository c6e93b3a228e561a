import { KetbookError } from "../../client/index.ts";
import type { Program } from "../../contract/index.ts";
import {
  addCall,
  addLoop,
  addMeasurements,
  addRegister,
  appendCircuit,
  bitCondition,
  bitsOf,
  CircuitBuilder,
  compile,
  controlledGate,
  namedGate,
  OPERATION,
  ProgramError,
  printCircuit,
  readAngle,
  SimulationError,
  valueCondition,
} from "../../simulation/index.ts";
import { GATE_NAMES, GateCalls, type GateName, type Qubits } from "./gates.ts";
import { QasmProgram } from "./program.ts";
import { checkPlaces } from "./program-text.ts";

/** A condition: that a bit is 1, that a bit is 0 or 1, or that all bits, bit 0 as the lowest, are a whole number. */
export type Condition =
  | number
  | {
      /** Number of a bit. */
      readonly bit: number;
      /** Its value. */
      readonly is: 0 | 1;
    }
  | {
      /** Whole number that all bits make. */
      readonly value: number;
    };

/** Qubits, bits and inputs of a program. */
export interface ProgramSize {
  /** Number of qubits, named `q[0]`, `q[1]`, …. */
  qubits: number;
  /** Number of bits, named `c[0]`, `c[1]`, …. Default: 0. */
  bits?: number;
  /** Names of its inputs, which are real numbers such as angles. Default: none. */
  inputs?: readonly string[];
}

const MAX_PLACES = 65_536;

/**
 * Adds the operations of a program that `program` makes. Every method returns the builder. Gates on one qubit take a list
 * of qubits, too; angles are in radians.
 */
export class ProgramBuilder extends GateCalls {
  /** The numbers of all qubits, as in `q.h(q.qubits)`. */
  readonly qubits: readonly number[];
  readonly #builder = new CircuitBuilder();
  readonly #inputs: readonly string[];
  #isOpen = true;

  /** @internal */
  constructor({ qubits, bits = 0, inputs = [] }: ProgramSize) {
    super();
    const count = (value: number, least: number, what: string) => {
      if (Number.isInteger(value) && value >= least && value <= MAX_PLACES) return;
      throw new KetbookError(
        `program: the number of ${what} must be a whole number from ${least} to ${MAX_PLACES}, not ${value}.`,
      );
    };
    count(qubits, 1, "qubits");
    count(bits, 0, "bits");
    const wrong = inputs.find(
      name => !/^[A-Za-z]\w*$/.test(name) || ["q", "c", "pi", "tau", "euler"].includes(name),
    );
    if (wrong !== undefined)
      throw new KetbookError(
        `program: ${JSON.stringify(wrong)} cannot be the name of an input. Use another word, such as "theta".`,
      );
    this.qubits = Object.freeze([...Array(qubits).keys()]);
    this.#inputs = inputs;
    this.#builder.numQubits = qubits;
    this.#builder.quantum = [{ name: "q", offset: 0, size: qubits }];
    addRegister(this.#builder, bits, "c");
  }

  /** @internal Ends the program, and returns its text. */
  finish(): string {
    this.#isOpen = false;
    return printCircuit(this.#builder.finish());
  }

  static {
    for (const name of GATE_NAMES)
      Object.defineProperty(ProgramBuilder.prototype, name, {
        value(this: ProgramBuilder, ...args: unknown[]) {
          return this.#gate(name, args);
        },
      });
  }

  /**
   * Adds another program, on the qubits and bits of the same numbers, or on those that are given.
   *
   * @example
   * ```ts
   * import { circuits, program } from "ketbook";
   * program(5, q => q.apply(circuits.ghz(3), [4, 2, 0]));
   * ```
   *
   * @throws KetbookError for a program that does not compile, and one with more qubits or bits than there are.
   */
  apply(added: Program, qubits?: readonly number[], bits?: readonly number[]): this {
    this.#check("apply(…)");
    const { format, data, files } = QasmProgram.of(added);
    const circuit = this.#try("apply(…)", () =>
      compile({ format: format as "qasm3", data, files }, { openInputs: true }),
    );
    if (qubits) checkPlaces("apply", "qubit", qubits, circuit.numQubits);
    if (bits) checkPlaces("apply", "bit", bits, circuit.numClbits);
    const range = (count: number) => [...Array(count).keys()];
    const [on, into] = [qubits ?? range(circuit.numQubits), bits ?? range(circuit.numClbits)];
    for (const qubit of on) this.#qubit(qubit, "apply(…)");
    for (const bit of into) this.#bit(bit, "apply(…)");
    appendCircuit(this.#builder, circuit, on, into);
    return this;
  }

  /** Measures qubits in the computational basis, each into a bit. Default: the bit of the same number. */
  measure(qubits: Qubits, bits: Qubits = qubits): this {
    const call = callOf("measure", [qubits, ...(bits === qubits ? [] : [bits])]);
    this.#check(call);
    const [from, into] = [listOf(qubits), listOf(bits)];
    if (from.length !== into.length)
      throw new KetbookError(`${call}: ${from.length} qubits cannot be measured into ${into.length} bits.`);
    from.forEach((qubit, i) => {
      this.#operation(OPERATION.measure, [this.#qubit(qubit, call), this.#bit(into[i]!, call)]);
    });
    return this;
  }

  /** Measures every qubit into the bit of its number. A program without bits gets them. */
  measureAll(): this {
    this.#check("measureAll()");
    this.#try("measureAll()", () => addMeasurements(this.#builder));
    return this;
  }

  /** Sets qubits to 0. */
  reset(qubits: Qubits): this {
    const call = callOf("reset", [qubits]);
    this.#check(call);
    for (const qubit of listOf(qubits)) this.#operation(OPERATION.reset, [this.#qubit(qubit, call)]);
    return this;
  }

  /** Keeps compilers from moving or joining operations across it. Default: on all qubits. */
  barrier(qubits: Qubits = this.qubits): this {
    const call = callOf("barrier", [qubits]);
    this.#check(call);
    this.#operation(OPERATION.barrier, this.#different(listOf(qubits), call));
    return this;
  }

  /**
   * Adds operations that are carried out where a condition holds, and others where it doesn't.
   *
   * @example
   * ```ts
   * import { program } from "ketbook";
   * program({ qubits: 2, bits: 1 }, q => q.h(0).measure(0, 0).if(0, b => b.x(1), b => b.z(1)));
   * ```
   */
  if(condition: Condition, then: (q: this) => unknown, otherwise?: (q: this) => unknown): this {
    const test = this.#condition("if", condition);
    const body = this.#body(then);
    const other = otherwise ? this.#body(otherwise) : null;
    this.#builder.add({ kind: "if", label: "if", condition: test, body, otherwise: other });
    return this;
  }

  /** Adds operations that are repeated while a condition holds. */
  while(condition: Condition, body: (q: this) => unknown): this {
    const test = this.#condition("while", condition);
    this.#builder.add({ kind: "while", label: "while", before: [], condition: test, body: this.#body(body) });
    return this;
  }

  /** Adds a loop that runs operations a number of times. */
  repeat(times: number, body: (q: this) => unknown): this {
    this.#check(`repeat(${times}, …)`);
    if (!Number.isInteger(times) || times < 0 || times > 2 ** 31)
      throw new KetbookError(`repeat(${times}, …): the number of times is a whole number, 0 or more.`);
    addLoop(this.#builder, times, () => void body(this));
    return this;
  }

  #body(fill: (q: this) => unknown) {
    return this.#builder.collect(() => void fill(this));
  }

  #gate(name: GateName, args: readonly unknown[]): this {
    const call = callOf(name, args);
    this.#check(call);
    const isControlled = name.startsWith("mc");
    const gate = namedGate(name === "u" ? "U" : isControlled ? name.slice(2) : name)!;
    const { numParams } = gate;
    if (args.length !== numParams + (isControlled ? 2 : gate.numQubits))
      throw new KetbookError(
        `${call}: ${name} takes ${numParams === 0 ? "" : `${numParams === 1 ? "an angle" : `${numParams} angles`} and `}${isControlled ? "a list of controls and a target" : gate.numQubits === 1 ? "a qubit or a list of qubits" : `${gate.numQubits} qubits`}.`,
      );
    const params = args.slice(0, numParams).map(angle => this.#angle(angle, call));
    const operands = args.slice(numParams) as Qubits[];
    const qubits = this.#different(operands.flatMap(listOf), call);
    if (isControlled)
      addCall(this.#builder, { gate: controlledGate(gate, qubits.length - 1), params, qubits });
    else if (gate.numQubits !== 1) addCall(this.#builder, { gate, params, qubits });
    else for (const qubit of qubits) addCall(this.#builder, { gate, params, qubits: [qubit] });
    return this;
  }

  #operation(kind: number, operands: readonly number[]): void {
    this.#builder.operation(kind);
    for (const operand of operands) this.#builder.operations.operand(operand);
  }

  #angle(angle: unknown, call: string) {
    if (Number.isFinite(angle)) return angle as number;
    if (typeof angle !== "string")
      throw new KetbookError(
        `${call}: an angle is a finite number of radians, or an expression such as "2 * theta".`,
      );
    try {
      return readAngle(angle, this.#inputs);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new KetbookError(`${call}: ${error.message}.`);
    }
  }

  #condition(name: string, condition: Condition) {
    const call = `${name}(${JSON.stringify(condition) ?? String(condition)}, …)`;
    this.#check(call);
    if (typeof condition === "number") return bitCondition(this.#bit(condition, call), true);
    if (typeof condition === "object" && condition !== null && "bit" in condition)
      return bitCondition(this.#bit(condition.bit, call), Boolean(condition.is));
    const bits = bitsOf(this.#builder);
    const value = condition?.value;
    if (Number.isSafeInteger(value) && value >= 0 && value < 2 ** bits.length)
      return valueCondition(bits, value);
    throw new KetbookError(
      `${call}: a condition is the number of a bit, { bit: 0, is: 1 }, or { value: n } with a number that ${bits.length} bits can have.`,
    );
  }

  #qubit(qubit: number, call: string): number {
    if (Number.isInteger(qubit) && qubit >= 0 && qubit < this.qubits.length) return qubit;
    const last = this.qubits.length - 1;
    const has = last === 0 ? "only qubit 0" : `qubits 0 to ${last}`;
    throw new KetbookError(`${call}: ${String(qubit)} is not a qubit. The program has ${has}.`);
  }

  #bit(bit: number, call: string): number {
    const bits = bitsOf(this.#builder);
    const place = bits[bit];
    if (place !== undefined) return place;
    const has =
      bits.length === 0
        ? `no bits: program({ qubits: ${this.qubits.length}, bits: … }, …)`
        : `bits 0 to ${bits.length - 1}`;
    throw new KetbookError(`${call}: ${String(bit)} is not a bit. The program has ${has}.`);
  }

  #different(qubits: readonly number[], call: string): readonly number[] {
    for (const qubit of qubits) this.#qubit(qubit, call);
    if (new Set(qubits).size < qubits.length)
      throw new KetbookError(`${call}: a gate acts on different qubits.`);
    return qubits;
  }

  #check(call: string): void {
    if (!this.#isOpen)
      throw new KetbookError(
        `${call}: the program is finished. Add operations inside the function that program() calls.`,
      );
  }

  #try<T>(call: string, make: () => T): T {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof ProgramError || error instanceof SimulationError)) throw error;
      throw new KetbookError(`${call}: ${error.message}`, { cause: error });
    }
  }
}

const listOf = (places: Qubits): readonly number[] => (Array.isArray(places) ? places : [places as number]);

const callOf = (name: string, args: readonly unknown[]): string =>
  `${name}(${args.map(arg => (typeof arg === "number" ? String(arg) : (JSON.stringify(arg) ?? String(arg)))).join(", ")})`;

/**
 * Makes a program from calls of gates. It is a value like one of `qasm`: its text is OpenQASM 3, and it never changes.
 *
 * @param size - Number of qubits of a program without bits, or its qubits, bits and inputs.
 * @param fill - Adds the operations. It runs once.
 *
 * @example
 * ```ts
 * import { program, run } from "ketbook";
 * const bell = program({ qubits: 2, bits: 2 }, q => q.h(0).cx(0, 1).measureAll());
 * String(bell); // the text in OpenQASM 3
 * const layer = (theta: number) =>
 *   program(4, q => {
 *     for (let i = 0; i < 4; i++) q.ry(theta, i);
 *   });
 * await run(layer(0.3).measureAll()).shots(1000);
 * ```
 *
 * @throws KetbookError at the call of a gate, for qubits, bits or angles that cannot be.
 */
export function program(size: number | ProgramSize, fill: (q: ProgramBuilder) => unknown): QasmProgram {
  if (typeof fill !== "function")
    throw new KetbookError(
      "program: expected a function that adds gates, such as program(2, q => q.h(0).cx(0, 1)).",
    );
  const builder = new ProgramBuilder(typeof size === "number" ? { qubits: size } : { ...size });
  const returned = fill(builder);
  const text = builder.finish();
  if (returned instanceof Promise)
    throw new KetbookError(
      "program: the function that adds gates must not be async, since it would end too late.",
    );
  return new QasmProgram(text);
}
