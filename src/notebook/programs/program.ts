import type { DisplayableView } from "../../charts/index.ts";
import { KetbookError } from "../../client/index.ts";
import { describeValue, type Program, type RecordedProgram } from "../../contract/index.ts";
import type { RenderedView } from "../../display/index.ts";
import {
  addMeasurements,
  appendCircuit,
  type Circuit,
  compile,
  controlledCircuit,
  differenceOf,
  extendedCircuit,
  inverseCircuit,
  type ProgramFigures,
  placedCircuit,
  powerOfCircuit,
  printProgram,
  type SourceProgram,
  toQir,
  unitaryOfCircuit,
  unmeasuredCircuit,
} from "../../simulation/index.ts";
import { matrixRows } from "../results/density-matrix.ts";
import { DisplayableValue } from "../values/displayable-value.ts";
import { type CircuitOptions, circuitView, displayableCircuit } from "./circuit.ts";
import { type Inputs, inputBinder } from "./inputs.ts";
import { figuresOf, naming } from "./program-figures.ts";
import { formatOf, textOf } from "./program-text.ts";
import { type Trace, type TraceOptions, traceProgram } from "./trace.ts";

/** A program, such as one in OpenQASM or QIR, which shows itself as a circuit. */
export class QasmProgram extends DisplayableValue implements Program {
  /** The format of the submission, or of text by its first line: `qasm3`, `qasm2`, or `qir.ll` for QIR in LLVM's text form. */
  readonly format: string;
  /** The program's text; of a program that is not text, its JSON. */
  readonly data: string;
  /** The texts of the files that come with the program and that it may include, by their names; `undefined` for none. */
  readonly files: { readonly [name: string]: string } | undefined;
  readonly #recorded: string | object;
  #figures: ProgramFigures | undefined;

  /** @internal */
  constructor(recorded: string | object, format = "", files?: { readonly [name: string]: string }) {
    super();
    this.#recorded = recorded;
    this.files = files;
    this.data = textOf(recorded);
    this.format = format || formatOf(this.data);
  }

  /** @internal Makes a program of a service's record, or of text. */
  static of(given: string | RecordedProgram): QasmProgram {
    if (given instanceof QasmProgram) return given;
    if (typeof given === "string") return new QasmProgram(given);
    const { format, data, files } = Object(given) as RecordedProgram;
    if (typeof format === "string") return new QasmProgram(data, format, files);
    throw new KetbookError(
      `${describeValue(given)} is not a program. Give OpenQASM text or a qasm\`…\` program.`,
    );
  }

  /** The program as it is submitted. */
  toJSON(): RecordedProgram {
    return { format: this.format, data: this.#recorded, ...(this.files ? { files: this.files } : {}) };
  }

  /**
   * Length of the longest chain of operations, measurements among them, that share a qubit or a bit. Loops and
   * subroutines are carried out, and all branches of a condition count. If a loop ends by what it measures, the body of
   * each loop counts once. Inputs that are angles may be open.
   *
   * @example
   * ```ts
   * import { qasm } from "ketbook";
   * const ghz = qasm`include "stdgates.inc"; qubit[4] q; h q[0]; for int i in [1:3] cx q[i - 1], q[i];`;
   * ghz.depth; // 4
   * ghz.gateCounts; // { h: 1, cx: 3 }
   * ```
   *
   * @throws KetbookError for a program that does not compile, and for loops that are too long or end by an open input.
   */
  get depth(): number {
    return this.#counted("depth").depth;
  }

  /**
   * Number of calls of each gate, by its name in the program, such as `{ h: 1, cx: 2, measure: 3 }`: loops are carried
   * out as for `depth`.
   *
   * @throws KetbookError as `depth` does.
   */
  get gateCounts(): { readonly [gate: string]: number } {
    return this.#counted("gateCounts").gateCounts;
  }

  /**
   * Number of gates on two qubits: gates that the program defines are opened, and a library gate on three qubits or more
   * counts as the two-qubit gates that it comes to, such as six for `ccx`. Loops are carried out as for `depth`.
   *
   * @throws KetbookError as `depth` does.
   */
  get twoQubitGates(): number {
    return this.#counted("twoQubitGates").twoQubitGates;
  }

  /**
   * Number of qubits that the program declares.
   *
   * @throws KetbookError as `depth` does.
   */
  get width(): number {
    return this.#counted("width").width;
  }

  /** Names of the inputs that are open, in the order in which the program declares them. Throws as `depth` does. */
  get inputs(): readonly string[] {
    return naming("inputs", () => this.compiled().parts.inputs.map(({ name }) => name));
  }

  #counted(asked: string): ProgramFigures {
    this.#figures ??= naming(asked, () => figuresOf(this.source));
    return this.#figures;
  }

  /** @internal The program as it is compiled here: what is in no known format is taken for OpenQASM 3. */
  get source(): SourceProgram {
    const { format, data, files } = this;
    return { format: format === "qasm2" || format === "qir.ll" ? format : "qasm3", data, files };
  }

  /** @internal The program's circuit, in which inputs stay open. */
  compiled(): Circuit {
    return compile(this.source, { openInputs: true });
  }

  /**
   * Appends another program. It acts on the qubits and bits of the same numbers, or on the given qubits; those that this
   * program lacks are added. Inputs of the same name are one input. (A method named `then` would turn programs into
   * promises.)
   *
   * @example
   * ```ts
   * import { program } from "ketbook";
   * const bell = program(2, q => q.h(0).cx(0, 1));
   * const pairs = bell.compose(bell, [2, 3]).compose(program(2, q => q.cz(0, 1)), [1, 2]);
   * ```
   *
   * @throws KetbookError for qubits that are not different, and programs that don't compile.
   */
  compose(other: Program, qubits?: readonly number[]): QasmProgram {
    return this.#edited("compose", circuit =>
      extendedCircuit(circuit, builder => appendCircuit(builder, QasmProgram.of(other).compiled(), qubits)),
    );
  }

  /**
   * Moves the program to other qubits, and optionally other bits: qubit `k` becomes `qubits[k]`.
   *
   * @example
   * ```ts
   * import { program } from "ketbook";
   * program(2, q => q.cx(0, 1)).on([3, 1]); // cx q[3], q[1];
   * ```
   *
   * @throws KetbookError for repeated qubits.
   */
  on(qubits: readonly number[], bits?: readonly number[]): QasmProgram {
    return this.#edited("on", circuit => placedCircuit(circuit, qubits, bits));
  }

  /**
   * Returns the program that undoes this one.
   *
   * @throws KetbookError for a program that measures, resets or depends on measured values.
   */
  inverse(): QasmProgram {
    return this.#edited("inverse", inverseCircuit);
  }

  /**
   * Repeats the program; a negative exponent repeats its inverse. A fraction, of at most 5 qubits, is the principal power:
   * each eigenphase in (-π, π] is multiplied.
   *
   * @throws KetbookError as `inverse` does, and for an exponent that is not finite.
   */
  power(exponent: number): QasmProgram {
    if (!Number.isFinite(exponent) || Math.abs(exponent) > Number.MAX_SAFE_INTEGER)
      throw new KetbookError(`power(${exponent}): an exponent is a finite number.`);
    return this.#edited("power", circuit => powerOfCircuit(circuit, exponent));
  }

  /**
   * Adds control qubits, which come first: the program acts where all of them are 1. Its qubit `k` becomes `count + k`.
   *
   * @throws KetbookError as `inverse` does.
   */
  controlled(count = 1): QasmProgram {
    if (!Number.isInteger(count) || count < 1)
      throw new KetbookError(`controlled(${count}): the number of controls is a whole number, 1 or more.`);
    return this.#edited("controlled", circuit => controlledCircuit(circuit, count));
  }

  /**
   * Measures every qubit at the end, each into the bit of its number. A program without bits gets them.
   *
   * @throws KetbookError for a program that has bits, but too few.
   */
  measureAll(): QasmProgram {
    return this.#edited("measureAll", circuit => extendedCircuit(circuit, addMeasurements));
  }

  /**
   * Leaves out the measurements, and the bits with them.
   *
   * @throws KetbookError for a program that uses what it measures.
   */
  withoutMeasurements(): QasmProgram {
    return this.#edited("withoutMeasurements", unmeasuredCircuit);
  }

  /**
   * Gives inputs their values. Others stay open.
   *
   * @example
   * ```ts
   * import { program } from "ketbook";
   * const turn = program({ qubits: 1, inputs: ["theta"] }, q => q.ry("theta / 2", 0));
   * turn.assign({ theta: Math.PI });
   * ```
   *
   * @throws KetbookError for an input that the program lacks, and for a value that cannot be one.
   */
  assign(inputs: Inputs): QasmProgram {
    const binder = inputBinder(this, "assign");
    binder.check(inputs);
    const assigned = QasmProgram.of(binder.bind(inputs, "", true));
    naming("assign", () => assigned.compiled());
    return assigned;
  }

  /**
   * The matrix of a program of gates on at most 10 qubits: rows of complex numbers. Qubit `k` is bit `k` of the place of a
   * row or column, so the place 1 is qubit 0.
   *
   * @throws KetbookError as `inverse` does, and for more qubits.
   */
  unitary(): { re: number; im: number }[][] {
    return matrixRows(naming("unitary", () => unitaryOfCircuit(this.compiled())));
  }

  /**
   * Whether two programs of gates do the same up to a global phase, on at most 10 qubits.
   *
   * @throws KetbookError as `unitary` does, and for different numbers of qubits.
   */
  equals(other: Program): boolean {
    return this.counterexample(other) === null;
  }

  /**
   * Finds an input on which two programs of gates differ by more than a global phase: a basis state, or two in equal
   * superposition, such as `["00", "10"]`, the last qubit on the left. Returns null if they are equal.
   *
   * @returns The input, and the fidelity of the two outputs, from 0 to 1.
   * @throws KetbookError as `equals` does.
   */
  counterexample(other: Program): { input: string[]; fidelity: number } | null {
    return naming("equals", () => {
      const circuit = this.compiled();
      const found = differenceOf(circuit, QasmProgram.of(other).compiled());
      const bits = (state: number) => state.toString(2).padStart(circuit.numQubits, "0");
      return found && { input: found.input.map(bits), fidelity: found.fidelity };
    });
  }

  #edited(asked: string, edit: (circuit: Circuit) => Circuit): QasmProgram {
    return naming(asked, () => new QasmProgram(printProgram(edit(this.compiled()))));
  }

  /**
   * Writes the program as QIR, which runs like any other: the base profile, or the adaptive one where something
   * depends on measured values.
   *
   * @throws KetbookError when the program does not compile, or computes what QIR has no words for.
   */
  toQir(): QasmProgram {
    if (this.format === "qir.ll") return this;
    return naming("toQir", () => new QasmProgram(toQir(compile(this.source))));
  }

  /**
   * Draws the program's circuit.
   *
   * @example
   * ```ts
   * import { qasm } from "ketbook";
   * const program = qasm`OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; h q[0]; cx q[0], q[1];`;
   * program.draw({ fold: 12, expand: true }).toSVG();
   * ```
   *
   * @throws KetbookError for an unknown option, or a program that does not compile.
   */
  draw(options?: CircuitOptions): DisplayableView {
    return displayableCircuit(this, options);
  }

  /**
   * Executes the program once, here and without noise, and returns what holds after each instruction: the state, the
   * classical registers, and what was measured. Measurements are decided by a seed, or one by one; a reset measures
   * its qubit too, and forgets what it found.
   *
   * @example
   * ```ts
   * import { qasm } from "ketbook";
   * const bell = qasm`OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;`;
   * const trace = bell.trace({ outcomes: [1] });
   * trace[2].state?.probability("11"); // 0.5
   * trace.at(-1)?.registers.c; // "11"
   * ```
   *
   * @throws KetbookError for a program that does not compile, an outcome whose probability is 0, and more than 20 qubits
   * in superposition.
   */
  trace(options?: TraceOptions): Trace {
    return traceProgram(this.source, options);
  }

  /** The program's circuit as an SVG picture. */
  override toSVG(): string {
    return this.draw().toSVG();
  }

  /**
   * Writes the program's circuit to a file: `.svg`, `.pdf`, `.png`, `.html` or `.txt`.
   *
   * @throws KetbookError for a program that does not compile.
   */
  override save(path: string): void {
    this.draw().save(path);
  }

  /** The program's text. */
  override toString(): string {
    return this.data;
  }

  /** @internal */
  protected override render(): RenderedView {
    return circuitView(this);
  }
}
