import { KetbookError } from "../../client/index.ts";
import { describeValue, must, type Program, stringList, wholeNumber } from "../../contract/index.ts";
import { formatCount } from "../../display/index.ts";
import {
  addCall,
  addLoop,
  addMeasurements,
  addRegister,
  appendCircuit,
  bitsOf,
  CircuitBuilder,
  controlledGate,
  type Expression,
  type Gate,
  gateNames,
  namedGate,
  OPERATION,
  ProgramError,
  printCircuit,
  readAngle,
  SimulationError,
  unitaryGate,
} from "../../simulation/index.ts";
import { readMatrix } from "../results/density-matrix.ts";
import type { ComplexNumber } from "../results/state.ts";
import { checkHelperOptions } from "../values/options.ts";
import { type Condition, readCondition } from "./condition.ts";
import { CONTROLLED, GateCalls, OTHER_NAMES, type Qubits } from "./gates.ts";
import { QasmProgram } from "./program.ts";
import { naming } from "./program-figures.ts";

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

const count = (least: number) =>
  must(
    `a whole number from ${least} to ${MAX_PLACES}`,
    value => !wholeNumber(least)(value) && Number(value) <= MAX_PLACES,
  );

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
    this.qubits = Object.freeze([...Array(qubits).keys()]);
    this.#inputs = inputs;
    this.#builder.numQubits = qubits;
    this.#builder.quantum = [{ name: "q", offset: 0, size: qubits }];
    this.#builder.inputs = inputs.map(name => ({ name, type: { kind: "float", width: null } }));
    addRegister(this.#builder, bits, "c");
  }

  /** @internal Ends the program, and returns its text. */
  finish(): string {
    this.#isOpen = false;
    return naming("program", () => printCircuit(this.#builder.finish()));
  }

  static {
    const define = (name: string, value: (this: ProgramBuilder, ...args: unknown[]) => ProgramBuilder) =>
      Object.defineProperty(ProgramBuilder.prototype, name, { value, configurable: true });
    for (const name of [...gateNames, ...Object.keys(CONTROLLED)])
      define(name, function (...args) {
        return this.#add(name, args, () => this.#gate(name, args));
      });
    for (const [other, name] of OTHER_NAMES)
      define(other, () => {
        throw new KetbookError(`${other}: this is called ${name} here.`);
      });
  }

  /**
   * Adds a gate by its matrix, of at most 5 qubits: rows of complex numbers, as `unitary()` of a program returns them. The
   * first qubit is the lowest bit of the place of a row or column.
   *
   * @example
   * ```ts
   * import { program } from "ketbook";
   * const [c, s] = [Math.cos(0.3), Math.sin(0.3)];
   * program(2, q => q.unitary([[c, -s], [s, c]], 0).unitary(program(2, p => p.swap(0, 1)).unitary(), [0, 1]));
   * ```
   */
  unitary(matrix: readonly (readonly ComplexNumber[])[], qubits: Qubits): this {
    return this.#add("unitary", [], () => {
      const gate = unitaryGate(readMatrix(matrix, "a unitary").values);
      this.#call(gate, gate.numQubits, [], this.#different(qubits));
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
    return this.#add("apply", qubits ? [qubits] : [], () => {
      const circuit = QasmProgram.of(added).compiled();
      const places = (given: readonly number[] | undefined, count: number) =>
        given ?? [...Array(count).keys()];
      const on = this.#several(places(qubits, circuit.numQubits));
      const into = places(bits, circuit.numClbits);
      this.#bits(into);
      appendCircuit(this.#builder, circuit, on, into);
    });
  }

  /**
   * Measures qubits in the computational basis, each into a bit. Default: the bit of the same number. Bits that nothing is
   * measured into are 0, and are part of the outcomes too.
   */
  measure(qubits: Qubits, bits: Qubits = qubits): this {
    return this.#add("measure", bits === qubits ? [qubits] : [qubits, bits], () => {
      const [from, into] = [this.#several(qubits), this.#bits(bits)];
      if (from.length !== into.length)
        throw new RangeError(`${from.length} qubits cannot be measured into ${into.length} bits.`);
      this.#builder.broadcast(from.length, OPERATION.measure, [from, into]);
    });
  }

  /** Measures every qubit into the bit of its number. A program without bits gets them. */
  measureAll(): this {
    return this.#add("measureAll", [], () => addMeasurements(this.#builder));
  }

  /** Sets qubits to 0. */
  reset(qubits: Qubits): this {
    return this.#add("reset", [qubits], () => {
      const places = this.#several(qubits);
      this.#builder.broadcast(places.length, OPERATION.reset, [places]);
    });
  }

  /** Keeps compilers from moving or joining operations across it. Default: on all qubits. */
  barrier(qubits: Qubits = this.qubits): this {
    return this.#add("barrier", [qubits], () => {
      this.#builder.addOperation(OPERATION.barrier, this.#different(qubits));
    });
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
    return this.#add("if", [condition], () => {
      const [test, body] = [readCondition(condition, bits => this.#bits(bits)), this.#body(then)];
      const other = otherwise ? this.#body(otherwise) : null;
      this.#builder.add({ kind: "if", label: "if", condition: test, body, otherwise: other });
    });
  }

  /** Adds operations that are repeated while a condition holds, which is tested before each time. */
  while(condition: Condition, body: (q: this) => unknown): this {
    return this.#add("while", [condition], () => {
      const test = readCondition(condition, bits => this.#bits(bits));
      const inner = this.#body(body);
      this.#builder.add({ kind: "while", label: "while", before: [], condition: test, body: inner });
    });
  }

  /** Adds a loop that runs operations a number of times. */
  repeat(times: number, body: (q: this) => unknown): this {
    return this.#add("repeat", [times], () => {
      if (!Number.isInteger(times) || times < 0 || times > 2 ** 31)
        throw new RangeError("the number of times is a whole number, 0 or more.");
      addLoop(this.#builder, times, () => this.#fill(body));
    });
  }

  #body(fill: (q: this) => unknown) {
    return this.#builder.collect(() => this.#fill(fill));
  }

  #fill(fill: (q: this) => unknown): void {
    if (typeof fill !== "function")
      throw new RangeError("expected a function that adds operations, such as b => b.x(0).");
    fill(this);
  }

  /** Adds operations. An error names the call. */
  #add(name: string, args: readonly unknown[], add: () => void): this {
    const fail = (message: string, cause?: unknown) => {
      const isPlain = (arg: unknown) => typeof arg === "object" && !(arg instanceof ProgramBuilder);
      const written = args.map(arg => (isPlain(arg) ? JSON.stringify(arg) : describeValue(arg)));
      throw new KetbookError(`${name}(${written.join(", ")}): ${message}`, { cause });
    };
    if (!this.#isOpen)
      fail("the program is finished. Add operations inside the function that program() calls.");
    try {
      add();
    } catch (error) {
      const isOwn = error instanceof RangeError || error instanceof SimulationError;
      if (isOwn || error instanceof ProgramError) fail(error.message, error);
      throw error;
    }
    return this;
  }

  #gate(name: string, args: readonly unknown[]): void {
    const gate = namedGate(CONTROLLED[name] ?? name)!;
    const isOpen = name.startsWith("mc");
    const { numParams } = gate;
    const numQubits = gate.numQubits + (name in CONTROLLED ? 1 : 0);
    if (args.length !== numParams + numQubits)
      throw new RangeError(
        `expected ${formatCount(numParams, "angles")} and ${isOpen ? "controls and a target" : formatCount(numQubits, "qubits")}.`,
      );
    const params = args.slice(0, numParams).map(angle => this.#angle(angle));
    const qubits = this.#different((args.slice(numParams) as Qubits[]).flat());
    this.#call(gate, isOpen ? qubits.length : numQubits, params, qubits);
  }

  /** Calls a gate, with controls where it acts on fewer qubits than that, or on each of several qubits. */
  #call(gate: Gate, numQubits: number, params: readonly (number | Expression)[], qubits: readonly number[]) {
    if (numQubits > 1 && qubits.length !== numQubits)
      throw new RangeError(`the gate acts on ${numQubits} qubits. Lists of qubits are for gates on one.`);
    const called = controlledGate(gate, numQubits - gate.numQubits);
    const each = numQubits === 1 ? qubits.map(qubit => [qubit]) : [qubits];
    for (const on of each) addCall(this.#builder, { gate: called, params, qubits: on });
  }

  #angle(angle: unknown) {
    if (Number.isFinite(angle)) return angle as number;
    if (typeof angle === "string") return readAngle(angle, this.#inputs);
    throw new RangeError('an angle is a finite number of radians, or an expression such as "2 * theta".');
  }

  #bits(bits?: Qubits): number[] {
    const all = bitsOf(this.#builder);
    return this.#checked("bit", bits ?? [...all.keys()], all.length).map(bit => all[bit]!);
  }

  #several(qubits: Qubits): readonly number[] {
    return this.#checked("qubit", qubits, this.qubits.length);
  }

  #different(qubits: Qubits): readonly number[] {
    const list = this.#several(qubits);
    if (new Set(list).size < list.length) throw new RangeError("a gate acts on different qubits.");
    return list;
  }

  #checked(what: "qubit" | "bit", given: Qubits, count: number): readonly number[] {
    const list = typeof given === "object" ? given : [given];
    const wrong = list.findIndex(place => !Number.isInteger(place) || place < 0 || place >= count);
    if (wrong < 0) return list;
    const none = `no bits: program({ qubits: ${this.qubits.length}, bits: … }, …)`;
    const all = count === 0 ? none : count === 1 ? `only ${what} 0` : `${what}s 0 to ${count - 1}`;
    throw new RangeError(`${describeValue(list[wrong])} is not a ${what}. The program has ${all}.`);
  }
}

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
 * @throws KetbookError at the call of a gate, for invalid qubits, bits or angles.
 */
export function program(size: number | ProgramSize, fill: (q: ProgramBuilder) => unknown): QasmProgram {
  if (typeof fill !== "function")
    throw new KetbookError(
      "program: expected a function that adds gates, such as program(2, q => q.h(0).cx(0, 1)).",
    );
  const given: ProgramSize = typeof size === "object" ? { ...size } : { qubits: size };
  given.qubits ??= Number.NaN;
  checkHelperOptions("program", given, { qubits: count(1), bits: count(0), inputs: stringList });
  const builder = new ProgramBuilder(given);
  const returned = fill(builder);
  const text = builder.finish();
  if (returned instanceof Promise) {
    returned.catch(() => undefined);
    throw new KetbookError(
      "program: the function that adds gates must not be async, since it would end too late.",
    );
  }
  return new QasmProgram(text);
}
