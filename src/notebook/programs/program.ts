import { readFile } from "node:fs/promises";
import type { DisplayableView } from "../../charts/displayable-view.ts";
import { KetbookError } from "../../client/errors.ts";
import type { Program, RecordedProgram } from "../../contract/program.ts";
import type { RenderedView } from "../../display/index.ts";
import {
  compile,
  definitionsOf,
  inputDeclarationsOf,
  ProgramError,
  type ProgramFigures,
  programFigures,
  SimulationError,
  type SourceProgram,
  toQir,
} from "../../simulation/index.ts";
import { DisplayableValue } from "../values/displayable-value.ts";
import { fileError } from "../values/file-error.ts";
import { type CircuitOptions, circuitView, displayableCircuit } from "./circuit.ts";
import type { TraceOptions } from "./execute-steps.ts";
import { readIncludes } from "./included-files.ts";
import { type Trace, traceProgram } from "./trace.ts";

/** A program, such as one in OpenQASM or QIR, which shows itself as a circuit. */
export class QasmProgram extends DisplayableValue implements Program {
  /**
   * The format that the program was submitted in; of text that was never submitted `qasm3` or `qasm2`, as its first
   * line says, or `qir.ll` for QIR in LLVM's text form.
   */
  readonly format: string;
  /** The program's text; of a program that is no text, its JSON. */
  readonly data: string;
  /** The texts of the files that come with the program and that it may include, by their names; `undefined` for none. */
  readonly files: { readonly [name: string]: string } | undefined;
  readonly #recorded: string | object;
  #figures: ProgramFigures | undefined;

  /** @internal */
  constructor(recorded: string | object, format = "", files?: Files) {
    super();
    this.#recorded = recorded;
    this.files = files;
    this.data = textOf(recorded);
    this.format = format || formatOf(this.data);
  }

  /** @internal Makes a program of what a service recorded, or of text. */
  static of(given: string | RecordedProgram): QasmProgram {
    if (given instanceof QasmProgram) return given;
    return typeof given === "string"
      ? new QasmProgram(given)
      : new QasmProgram(given.data, given.format, given.files);
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
   * How often each gate is called, by its name in the program, such as `{ h: 1, cx: 2, measure: 3 }`: loops are carried
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

  #counted(asked: string): ProgramFigures {
    this.#figures ??= this.#compiled(asked, source => {
      const { format } = source;
      const inputs = format === "qir.ll" ? [] : inputDeclarationsOf({ ...source, format });
      const angles = inputs.filter(({ type }) => type === "float" || type === "angle");
      const given = Object.fromEntries(angles.map(({ name }) => [name, 1]));
      return programFigures(compile(source, { openInputs: true, inputs: given }));
    });
    return this.#figures;
  }

  #compiled<T>(asked: string, use: (source: SourceProgram) => T): T {
    const { format, data, files } = this;
    const known = ["qasm2", "qasm3", "qir.ll"] as const;
    try {
      return use({ format: known.find(one => one === format) ?? "qasm3", data, files });
    } catch (error) {
      if (!(error instanceof ProgramError || error instanceof SimulationError)) throw error;
      throw new KetbookError(`${asked}: ${error.message}`, { cause: error });
    }
  }

  /**
   * Writes the program as QIR, which runs like any other: the base profile, or the adaptive one where something
   * depends on measured values.
   *
   * @throws KetbookError when the program does not compile, or computes what QIR has no words for.
   */
  toQir(): QasmProgram {
    if (this.format === "qir.ll") return this;
    return this.#compiled("toQir", source => new QasmProgram(toQir(compile(source))));
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
   * @throws KetbookError for an option that is not there, or a program that does not compile.
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
    return traceProgram(this, options);
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

/** The text of a program's data: JSON of what is no text. */
export const textOf = (data: string | object) =>
  typeof data === "string" ? data : JSON.stringify(data, null, 2);

/** OpenQASM and LLVM comments that may precede a program's first word. */
const LEAD = String.raw`^(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/|;[^\n]*\n)*`;
const QASM_2 = new RegExp(`${LEAD}OPENQASM\\s+2\\b`);
const LLVM = new RegExp(`${LEAD}(?:[%@!]|(?:source_filename|target|define|declare|attributes)\\s)`);

function formatOf(text: string): string {
  if (LLVM.test(text) && text.includes("@__quantum__")) return "qir.ll";
  return QASM_2.test(text) ? "qasm2" : "qasm3";
}

/** Makes programs from templates and files. */
export interface Qasm {
  (
    template: TemplateStringsArray,
    ...values: (number | bigint | boolean | string | QasmProgram)[]
  ): QasmProgram;
  /** Makes a program from text. */
  (text: string): QasmProgram;
  /**
   * Reads a program from a file, with the files in its folder that it includes. Rejects with a `KetbookError` when one
   * can't be read.
   */
  file(path: string): Promise<QasmProgram>;
  /**
   * Returns a `qasm` whose programs bring files along, by the names with which they include them. A service takes them
   * with the program, and reads none of its own.
   *
   * @example
   * ```ts
   * import { qasm } from "ketbook";
   * const withPairs = qasm.files({ "pairs.inc": "gate pair a, b { h a; cx a, b; }" });
   * const bell = withPairs`
   *   OPENQASM 3.0;
   *   include "stdgates.inc";
   *   include "pairs.inc";
   *   qubit[2] q;
   *   bit[2] c;
   *   pair q[0], q[1];
   *   c = measure q;
   * `;
   * ```
   *
   * @throws KetbookError for a file that is no string and no program.
   */
  files(files: { readonly [name: string]: string | QasmProgram }): Qasm;
}

type Files = { readonly [name: string]: string };

/**
 * Makes an OpenQASM program from a template. Common indentation is removed; numbers and other text may be put in
 * with `${…}`, and of another program the gates and subroutines that it defines. Nothing else is checked until the
 * program is shown or run.
 *
 * @example
 * ```ts
 * import { qasm } from "ketbook";
 * const ghz = (n: number) => qasm`
 *   OPENQASM 3.0;
 *   include "stdgates.inc";
 *   qubit[${n}] q;
 *   bit[${n}] c;
 *   h q[0];
 *   for int i in [1:${n - 1}] cx q[i - 1], q[i];
 *   c = measure q;
 * `;
 * const five = ghz(5);
 * ```
 *
 * @throws KetbookError when something else is put in, or a program that cannot be read.
 */
export const qasm: Qasm = withFiles();

function withFiles(files?: Files): Qasm {
  const make = (text: string) => new QasmProgram(text, "", files);
  return Object.assign(
    (template: TemplateStringsArray | string, ...values: unknown[]) => {
      if (typeof template === "string") return make(dedent(template));
      const text = template.raw.reduce((before, part, index) => before + insert(values[index - 1]) + part);
      return make(dedent(text));
    },
    {
      file: async (path: string) => {
        const text = await readFile(path, "utf8").catch(cause => {
          throw fileError(path, cause);
        });
        const all = { ...files, ...(await readIncludes(path, text)) };
        return new QasmProgram(text, "", Object.keys(all).length > 0 ? all : undefined);
      },
      files: (added: { readonly [name: string]: string | QasmProgram }) =>
        withFiles({ ...files, ...textsOf(added) }),
    },
  );
}

function textsOf(files: { readonly [name: string]: string | QasmProgram }): Files {
  return Object.fromEntries(
    Object.entries(files).map(([name, file]) => {
      if (typeof file === "string") return [name, dedent(file)];
      if (file instanceof QasmProgram) return [name, file.data];
      throw new KetbookError(`qasm.files: the text of ${JSON.stringify(name)} must be a string.`);
    }),
  );
}

function insert(value: unknown): string {
  if (value instanceof QasmProgram) return definitions(value);
  const fine = Number.isFinite(value) || ["string", "boolean", "bigint"].includes(typeof value);
  if (fine) return String(value);
  throw new KetbookError(`qasm: ${String(value)} cannot be inserted. Use a finite number or a string.`);
}

function definitions(program: QasmProgram): string {
  try {
    return definitionsOf(program.data);
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    throw new KetbookError(`qasm: the inserted program cannot be read: ${error.message}`, {
      cause: error,
    });
  }
}

function dedent(text: string): string {
  const lines = text
    .replace(/^[ \t]*\r?\n/, "")
    .trimEnd()
    .split("\n");
  const indents = lines.filter(line => line.trim() !== "").map(line => line.length - line.trimStart().length);
  const common = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return `${lines.map(line => line.slice(common)).join("\n")}\n`;
}
