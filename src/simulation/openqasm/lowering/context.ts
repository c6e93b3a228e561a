import type { CircuitBuilder } from "../../circuit/builder.ts";
import type { OutputVariable } from "../../circuit/circuit.ts";
import type { Expression } from "../../circuit/expression.ts";
import type { Gate } from "../../circuit/gate.ts";
import { GPHASE, QASM2_BUILT_IN, QASM3_GATES, QELIB1, STDGATES, U3 } from "../../circuit/standard.ts";
import type { Frame, MemoryRange, Statement } from "../../circuit/statement.ts";
import { CONSTANTS } from "../../circuit/values/functions.ts";
import { type Type, typeName } from "../../circuit/values/types.ts";
import { remembered } from "../../memoized.ts";
import { type Diagnostics, errorAt, fatalAt, type Place, tooMany } from "../diagnostics/diagnostic.ts";
import { FUNCTIONS } from "../expressions/builtins.ts";
import type { ExpressionContext } from "../expressions/context.ts";
import type { Inputs } from "../expressions/inputs.ts";
import type { RegisterRef, Scope, ScopeEntry, Subroutine } from "../expressions/scope.ts";
import type { ExpressionNode, NameNode, NodeList, ParameterNode, StatementNode } from "../syntax/ast.ts";
import type { CompileLimits } from "../syntax/limits.ts";
import { openFile, type Reading } from "../syntax/parse.ts";

/** A parameter with what the outermost call gives it, and a function that sets it to an argument like that. */
export interface BoundParameter {
  readonly param: ParameterNode;
  readonly given: Argument;
  set(argument: Argument): void;
}

export interface ResultSlot {
  readonly slot: number;
  readonly type: Type;
}

export interface Recursion {
  /** The slot with the result of the call that was lowered last. */
  readonly resultSlot: number;
  begin(params: readonly BoundParameter[]): void;
  recur(node: ExpressionNode & { kind: "call" }, result: ResultSlot | null): void;
  /** Returns the result of a call once the body is lowered. */
  frame(): Frame;
}

export interface ActiveCall {
  readonly subroutine: Subroutine;
  readonly result: ResultSlot | null;
  readonly recursion: Recursion | null;
}

export type Argument = (RegisterRef & { readonly kind: "qubit" }) | Expression;

/** A subroutine body lowered for some qubits. Calls with these qubits share its memory, since they never nest. */
export interface SharedBody {
  readonly setters: readonly ((argument: Argument) => void)[];
  readonly result: Expression | null;
  readonly resultMemory: MemoryRange | null;
  readonly body: readonly Statement[];
  readonly memory: MemoryRange;
}

export interface SubroutineState {
  readonly calls: ActiveCall[];
  isChecking: boolean;
  /** Weight of a body, without and with the bodies of called subroutines. */
  readonly sizes: WeakMap<Subroutine, { readonly own: number; readonly all: number }>;
  /** Bodies that were lowered, by the qubits of the calls that share them. */
  readonly bodies: WeakMap<Subroutine, Map<string, SharedBody>>;
  /** The places of loops whose condition is a constant that holds. */
  readonly endless: Set<number>;
  called: number;
}

export interface LoweringContext extends ExpressionContext {
  /** The text of the program, with those of the files that come with it. */
  readonly source: string;
  readonly limits: CompileLimits;
  readonly diagnostics: Diagnostics;
  readonly program: CircuitBuilder;
  /** The builder that receives statements: that of the program, or a temporary one while they are only checked. */
  builder: CircuitBuilder;
  readonly inputs: Inputs;
  readonly library: Library;
  readonly includes: Includes;
  readonly expansion: Expansion;
  readonly global: Scope;
  /** The variables of the program that can be its results. */
  readonly results: Result[];
  readonly subroutines: SubroutineState;
  readonly temporaries: Temporaries;
  readonly statementNode: StatementNode | null;
  loopDepth: number;
  hasInclude: boolean;
  numHardwareQubits: number;
  /** Lowers statements in a new scope. */
  body(nodes: NodeList, scope?: Scope): void;
  /** Declares a name in the scope of the place that is lowered; one of the library gives way to it. */
  declare(name: NameNode, symbol: ScopeEntry): void;
  /** Declares and returns a gate that a program without an include has in Braket's dialect; undefined for other names. */
  impliedGate(name: NameNode): Gate | undefined;
  /** Returns the text of a part of the program for a label. */
  label(node: Place): string;
  /** The same for a statement, without its semicolon. */
  statementLabel(node: Place): string;
  /** Throws a fatal error if `added` more operations exceed the limit. */
  checkLength(added: number, at: number): void;
}

/**
 * Limits how far a short program can expand: counts steps of gate definitions, members of slices and calls of subroutines,
 * which are not operations themselves.
 */
export class Expansion {
  readonly #max: number;
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts steps. Throws a fatal error above the limit, in which `what` names their cause. */
  add(count: number, at: number, what: () => string): void {
    this.check(count, at, what);
    this.#count += count;
  }

  /** Throws a fatal error if `count` more steps would exceed the limit. */
  check(count: number, at: number, what: () => string): void {
    if (this.#count + count > this.#max)
      throw fatalAt(
        at,
        `${what()}; that is beyond what a program may expand to, ${this.#max.toLocaleString("en-US")} steps in all.`,
        "Repeat with a loop, or define less within each other.",
      );
  }

  /** Lowers code that is only checked, without counting it. */
  uncounted(lower: () => void): void {
    const before = this.#count;
    lower();
    this.#count = before;
  }
}

/** A variable of the program that can be one of its results. */
export interface Result {
  readonly name: string;
  readonly isOutput: boolean;
  readonly symbol: ScopeEntry & { kind: "register" | "variable" | "array" };
}

/** Returns the variables whose values are results: those that are declared as output, or all where none is. */
export function outputsOf(variables: readonly Result[]): OutputVariable[] {
  const declared = variables.filter(({ isOutput }) => isOutput);
  return (declared.length > 0 ? declared : variables).map(({ name, symbol }) => {
    if (symbol.kind === "register") {
      const bits = symbol.ref.known!;
      return { name, type: symbol.ref.isSingle ? "bit" : `bit[${bits.length}]`, bits, slots: null };
    }
    if (symbol.kind === "array") {
      const { element, sizes, known } = symbol.ref;
      const type = `array[${[typeName(element), ...sizes].join(", ")}]`;
      return { name, type, bits: null, slots: { slots: known!, sizes, type: element } };
    }
    const { type, slot } = symbol;
    return { name, type: typeName(type), bits: null, slots: { slots: [slot], sizes: [], type } };
  });
}

/** Memory that a statement uses, and the list that it goes back to. */
interface Temporary {
  readonly memory: MemoryRange;
  readonly free: MemoryRange[] | null;
}

/** Slots that are in use up to the end of a statement, and then free for the next one of the same body. */
export class Temporaries {
  /** By the call whose body it is, or null for the program, and by the kind of memory. */
  readonly #free = new Map<object | null, Map<string, MemoryRange[]>>();
  #taken: Temporary[] = [];

  /** Takes memory of a kind that an earlier statement of the body has freed, or else what `reserve` returns. */
  take(body: object | null, kind: string, reserve: () => MemoryRange): MemoryRange {
    const kinds = remembered(this.#free, body, () => new Map<string, MemoryRange[]>());
    const free = remembered(kinds, kind, () => []);
    const memory = free.pop() ?? reserve();
    this.#taken.push({ memory, free });
    return memory;
  }

  hold(memory: MemoryRange): void {
    this.#taken.push({ memory, free: null });
  }

  /** Frees what `lower` has taken, and returns what it has used. */
  during(lower: () => void): readonly MemoryRange[] {
    const outer = this.#taken;
    const taken: Temporary[] = [];
    this.#taken = taken;
    try {
      lower();
    } finally {
      this.#taken = outer;
      for (const { memory, free } of taken) free?.push(memory);
    }
    return taken.map(({ memory }) => memory);
  }
}

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
  const builtIn: readonly Gate[] = isVersion2 ? QASM2_BUILT_IN : [U3, GPHASE];
  return {
    builtIn,
    files: Object.keys(files),
    gatesOf: (file: string) => (Object.hasOwn(files, file) ? files[file] : undefined),
    fileOf: (name: string) => Object.keys(files).find(file => files[file]!.some(gate => gate.name === name)),
    /** Whether a gate comes from one of the files, so a program may declare a name in its place. */
    isOwn: (gate: Gate) => !builtIn.includes(gate) && Object.values(files).flat().includes(gate),
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
