import type { Gate } from "../../circuit/gate.ts";
import { GPHASE, QASM2_BUILT_IN, QASM3_GATES, QELIB1, STDGATES, U3 } from "../../circuit/standard.ts";
import { CONSTANTS } from "../../circuit/values/functions.ts";
import { errorAt, tooMany } from "../diagnostics/diagnostic.ts";
import { FUNCTIONS } from "../expressions/builtins.ts";
import type { ScopeEntry } from "../expressions/scope.ts";
import type { StatementNode } from "../syntax/ast.ts";
import type { CompileLimits } from "../syntax/limits.ts";
import { openFile, type Reading } from "../syntax/parse.ts";

/** Maximum number of includes that are read, those of files that are included again and again among them. */
const MAX_INCLUDES = 10_000;

/** The files that come with a program, and that it includes. */
export class Includes {
  readonly #program: Reading;
  readonly #limits: CompileLimits;
  readonly #lower: (open: Reading) => void;
  /** The files that are being read, each included by the one before. */
  readonly #open: string[] = [];
  #length = 0;
  #count = 0;

  constructor(program: Reading, limits: CompileLimits, lower: (open: Reading) => void) {
    this.#program = program;
    this.#limits = limits;
    this.#lower = lower;
  }

  get names(): readonly string[] {
    return this.#program.source.files;
  }

  /** Lowers the text of a file in the place of its include; returns false where there is no file of that name. */
  include(node: StatementNode & { kind: "include" }): boolean {
    const { source, tokens, diagnostics } = this.#program;
    const span = source.file(node.file);
    if (!span) return false;
    if (this.#open.includes(node.file))
      throw errorAt(
        node,
        this.#open.at(-1) === node.file
          ? `"${node.file}" includes itself.`
          : `"${node.file}" is included by "${this.#open.at(-1)}", which it includes itself.`,
      );
    this.#length += span.end - span.start;
    if (this.#length > this.#limits.maxSource)
      throw tooMany(node.at, "The program includes", this.#limits.maxSource, "characters");
    if (++this.#count > MAX_INCLUDES) throw tooMany(node.at, "The program includes", MAX_INCLUDES, "files");
    const open = openFile(this.#program, span, this.#limits);
    this.#open.push(node.file);
    diagnostics.within(node.at, () => this.#lower(open));
    this.#open.pop();
    tokens.lexer.count(open.tokens.lexer.tokens);
    return true;
  }
}

/** The gates that the language brings, and the files that can be included. */
export type Library = ReturnType<typeof libraryOf>;

export const CALLED: ReadonlySet<ScopeEntry["kind"]> = new Set(["gate", "opaque", "subroutine", "extern"]);

function libraryOf(isVersion2: boolean) {
  const files: Record<string, readonly Gate[]> = isVersion2
    ? { "qelib1.inc": QELIB1, "stdgates.inc": STDGATES }
    : { "stdgates.inc": QASM3_GATES, "qelib1.inc": QELIB1 };
  const declares = (file: string, name: string) =>
    (file === "stdgates.inc" ? STDGATES : QELIB1).some(gate => gate.name === name);
  return {
    builtIn: isVersion2 ? QASM2_BUILT_IN : [U3, GPHASE],
    files: Object.keys(files),
    gatesOf: (file: string) => (Object.hasOwn(files, file) ? files[file] : undefined),
    /** Returns the file that declares a gate. */
    fileOf: (name: string) => Object.keys(files).find(file => declares(file, name)),
    /** Whether a gate comes from one of the files, so a program may declare a name in its place. */
    isOwn: (gate: Gate) => STDGATES.includes(gate) || QELIB1.includes(gate),
    /** Whether the standard has a gate in its file, so a program may not define it again. */
    isStandard: (gate: Gate) => !isVersion2 && STDGATES.includes(gate),
    /** Whether the language has a constant of that name, or a function that a gate or a subroutine would hide. */
    isReserved: (name: string, kind: ScopeEntry["kind"]) =>
      isVersion2 ? name === "pi" : CONSTANTS.has(name) || (CALLED.has(kind) && FUNCTIONS.has(name)),
  };
}

const QASM2 = libraryOf(true);
const QASM3 = libraryOf(false);

export const libraries = (isVersion2: boolean): Library => (isVersion2 ? QASM2 : QASM3);
