import { CircuitBuilder } from "../../circuit/builder.ts";
import type { Circuit } from "../../circuit/circuit.ts";
import type { Expression } from "../../circuit/expression.ts";
import type { Gate } from "../../circuit/gate.ts";
import { OPERATION } from "../../circuit/operations.ts";
import { NATIVE } from "../../circuit/standard.ts";
import type { SourceText } from "../../source-text.ts";
import {
  DiagnosticError,
  type Diagnostics,
  errorAt,
  fatalAt,
  type Place,
  tooMany,
} from "../diagnostics/diagnostic.ts";
import { AlreadyReportedError } from "../expressions/compiled.ts";
import { withinScope } from "../expressions/context.ts";
import { compileExpression } from "../expressions/expressions.ts";
import { Inputs, type InputValue } from "../expressions/inputs.ts";
import { Scope, type ScopeEntry } from "../expressions/scope.ts";
import type { ExpressionNode, NameNode, NodeList, StatementNode } from "../syntax/ast.ts";
import { type CompileLimits, DEFAULT_COMPILE_LIMITS } from "../syntax/limits.ts";
import { atEnd, type Reading, reading } from "../syntax/parse.ts";
import type { SourceProgram } from "../syntax/source.ts";
import { measuredValue } from "./assignments.ts";
import { BRAKET_ALIASES, BRAKET_GATES } from "./braket.ts";
import { lowerOperands } from "./conditions.ts";
import {
  CALLED,
  Expansion,
  Includes,
  type Library,
  type LoweringContext,
  libraries,
  outputsOf,
  type Result,
  type SubroutineState,
  Temporaries,
} from "./context.ts";
import { hardwareQubit } from "./declarations.ts";
import { readGateLines } from "./gate-lines.ts";
import { lowerStatement } from "./statements.ts";
import { callSubroutine } from "./subroutines.ts";
import { durationOf } from "./timing.ts";
import { takeBits } from "./variables.ts";

/** Limits of compiling a program, and values of its inputs. */
export interface CompileOptions extends Partial<CompileLimits> {
  /** The value of each `input` variable of the program; others are ignored. */
  inputs?: Readonly<Record<string, InputValue>>;
  /** Whether inputs may lack a value, for a circuit that is drawn and not run. Default: false. */
  openInputs?: boolean;
  /** Whether all qubits are measured at the end of a program without variables. Default: false. */
  measuresAll?: boolean;
}

/**
 * Compiles a program to a circuit: reads, checks and lowers it statement by statement.
 * Throws a ProgramError with everything that is wrong with it.
 */
export function compile(program: SourceProgram, { measuresAll, ...options }: CompileOptions = {}): Circuit {
  return lower(program, options).finish(program, options.inputs, measuresAll);
}

function lower(
  program: SourceProgram,
  { inputs, openInputs, ...limits }: Omit<CompileOptions, "measuresAll">,
): Lowering {
  const allLimits = { ...DEFAULT_COMPILE_LIMITS, ...limits };
  return reading(program, allLimits, open => {
    const impliedGate = program.format === "qasm2" ? null : braketGate;
    const includes = new Includes(open, allLimits, file => lowerStatements(file, lowering));
    const lowering = new Lowering(open, includes, impliedGate, allLimits, inputs, openInputs);
    lowerStatements(open, lowering);
    return lowering;
  });
}

let braket: Lowering | undefined;

/** Returns the gate that a name stands for in Braket's dialect and in the library. */
function braketGate(name: string): Gate | undefined {
  braket ??= lower({ format: "qasm3", data: BRAKET_GATES }, {});
  const own = Object.hasOwn(BRAKET_ALIASES, name) ? BRAKET_ALIASES[name]! : name;
  return braket.gateNamed(own) ?? NATIVE.find(gate => gate.name === own);
}

function lowerStatements(open: Reading, lowering: Lowering): void {
  for (;;) {
    readGateLines(open.tokens, lowering);
    if (atEnd(open)) return;
    const statement = open.parser.statement();
    if (statement) lowering.statement(statement);
  }
}

const IMPLIED_GATES = "No include: the gates are Braket's.";
const IMPLIED_MEASUREMENT = "No variables: all qubits are measured.";

/** Statements whose variables are in use after them. */
const DECLARATIONS: ReadonlySet<StatementNode["kind"]> = new Set([
  ...(["classical", "quantum", "alias", "include"] as const),
]);

const FAULTY: ReadonlySet<StatementNode["kind"]> = new Set([
  ...(["quantum", "classical", "alias", "gate", "def", "extern"] as const),
]);

type Call = ExpressionNode & { kind: "call" };
type Binary = ExpressionNode & { kind: "binary" };

/** Checks statements and lowers them into a circuit, one after the other. */
export class Lowering implements LoweringContext {
  readonly program = new CircuitBuilder();
  builder = this.program;
  readonly source: string;
  readonly includes: Includes;
  readonly limits: CompileLimits;
  readonly diagnostics: Diagnostics;
  readonly library: Library;
  readonly expansion: Expansion;
  readonly inputs: Inputs;
  readonly results: Result[] = [];
  readonly subroutines: SubroutineState = {
    calls: [],
    isChecking: false,
    sizes: new WeakMap(),
    bodies: new WeakMap(),
    endless: new Set(),
    called: 0,
  };
  readonly temporaries = new Temporaries();
  statementNode: StatementNode | null = null;
  loopDepth = 0;
  numHardwareQubits = 0;
  hasInclude = false;
  inputReads = 0;
  readonly global = new Scope(null);
  scope = this.global;
  #depth = 0;
  #count = 0;
  readonly #text: SourceText;
  readonly #noted = new Set<string>();
  readonly #impliedGate: ((name: string) => Gate | undefined) | null;

  constructor(
    { source, diagnostics }: Reading,
    includes: Includes,
    impliedGate: ((name: string) => Gate | undefined) | null,
    limits: CompileLimits,
    inputs: Readonly<Record<string, InputValue>> = {},
    openInputs = false,
  ) {
    this.#text = source;
    this.source = source.text;
    this.includes = includes;
    this.limits = limits;
    this.expansion = new Expansion(limits.maxOperations);
    this.diagnostics = diagnostics;
    this.library = libraries(!impliedGate);
    this.#impliedGate = impliedGate;
    this.inputs = new Inputs(inputs, this, openInputs);
    for (const gate of this.library.builtIn)
      this.global.declare(gate.name, { kind: "gate", gate, isConst: true });
  }

  readonly compile = (node: ExpressionNode, isReals = false) => compileExpression(this, node, isReals);
  readonly callSubroutine = (node: Call) => callSubroutine(this, node);
  readonly lowerOperands = (node: Binary, left: Expression, compileRight: () => Expression) =>
    lowerOperands(this, node, left, compileRight);
  readonly durationOf = (node: ExpressionNode & { kind: "durationof" }) => durationOf(this, node);
  readonly measure = (operand: ExpressionNode) => measuredValue(this, operand);
  readonly hardwareQubit = (index: number, node: ExpressionNode) => hardwareQubit(this, index, node);

  countMembers(count: number, at: number, weight = 0.5): void {
    this.expansion.add(weight * count, at, () => `This has ${count.toLocaleString("en-US")} members`);
  }

  /** Returns the gate that a name stands for in the program, or undefined. */
  gateNamed(name: string): Gate | undefined {
    return this.global.entry(name, "gate")?.gate;
  }

  impliedGate({ name, at }: NameNode): Gate | undefined {
    const gate = this.hasInclude ? undefined : this.#impliedGate?.(name);
    if (!gate) return undefined;
    this.global.declare(name, { kind: "gate", gate, isConst: true });
    this.note({ at }, IMPLIED_GATES);
    return gate;
  }

  isDeclared(name: string): boolean {
    return this.global.find(name) !== undefined;
  }

  /** Returns the qubits of a register of the program, or undefined. */
  registerNamed(name: string): readonly number[] | undefined {
    const ref = this.global.entry(name, "register")?.ref;
    return ref?.kind === "qubit" && !ref.isSingle && ref.known ? ref.known : undefined;
  }

  /** Checks and lowers a statement; an error in it is reported. */
  statement(node: StatementNode): void {
    const { builder, statementNode } = this;
    const { range } = builder;
    this.statementNode = node;
    try {
      if (++this.#count > this.limits.maxOperations) this.checkLength(this.#count, node.at);
      if (++this.#depth > 2 * this.limits.maxDepth) throw fatalAt(node.at, "Subroutines nest too deep here.");
      builder.range = [node.at, node.end];
      const first = builder.position;
      const temporaries = this.temporaries.during(() => {
        if (DECLARATIONS.has(node.kind)) lowerStatement(this, node);
        else builder.withLifetime(() => lowerStatement(this, node));
      });
      for (const memory of temporaries) builder.limitLifetime(memory, first);
    } catch (error) {
      if (error instanceof DiagnosticError) {
        this.diagnostics.report(error);
      } else if (!(error instanceof AlreadyReportedError)) throw error;
      this.#declareFaulty(node);
    } finally {
      builder.range = range;
      this.statementNode = statementNode;
      this.#depth--;
    }
  }

  note({ at }: { readonly at: number }, message: string): void {
    if (this.#noted.size === this.#noted.add(message).size) return;
    this.program.notes.push({ ...this.#text.locate(at), message });
  }

  body(nodes: NodeList, scope = new Scope(this.scope)): void {
    withinScope(this, scope, () => {
      for (const node of nodes) this.statement(node);
    });
  }

  finish(
    program: SourceProgram,
    inputs: Readonly<Record<string, InputValue>> = {},
    measuresAll = false,
  ): Circuit {
    if (measuresAll && this.results.length === 0 && this.program.numQubits > 0) this.#measureAll();
    this.program.outputs = outputsOf(this.results);
    this.program.source = { ...program, inputs };
    return this.program.finish();
  }

  #measureAll(): void {
    const { program } = this;
    const qubits = [...Array(program.numQubits).keys()];
    const ref = takeBits(this, qubits.length, 0);
    program.classical.push({ name: "b", offset: ref.known![0]!, width: qubits.length });
    program.broadcast(qubits.length, OPERATION.measure, [qubits, ref.known!]);
    this.results.push({ name: "b", isOutput: false, symbol: { kind: "register", ref } });
    this.note({ at: 0 }, IMPLIED_MEASUREMENT);
  }

  declare(name: NameNode, symbol: ScopeEntry): void {
    const { scope } = this;
    if (scope === this.global && this.library.isReserved(name.name, symbol.kind))
      throw errorAt(name, `${name.name} is part of the language.`, "Give it another name.");
    const known = scope === this.global ? this.gateNamed(name.name) : undefined;
    if (known && this.library.isOwn(known)) {
      if (this.library.isStandard(known)) this.#hideStandard(name, symbol);
      scope.override(name.name, symbol);
      return;
    }
    if (!scope.declare(name.name, symbol))
      throw errorAt(name, `${name.name} is declared already.`, "Give it another name.");
  }

  /** Refuses another definition of a standard gate, and tells of a variable that hides one. */
  #hideStandard(name: NameNode, { kind }: ScopeEntry): void {
    const what = `${name.name} is a gate of stdgates.inc`;
    if (CALLED.has(kind)) throw errorAt(name, `${what} already.`, "Give it another name.");
    this.note(name, `${what}, which this declaration hides; other tools refuse that.`);
  }

  label(node: Place): string {
    const text = this.source.slice(node.at, Math.min(node.end, node.at + 200)).replace(/\s+/g, " ");
    return text.length > 32 ? `${text.slice(0, 31)}…` : text;
  }

  statementLabel(node: Place): string {
    return this.label(node).replace(/;$/, "");
  }

  checkLength(added: number, at: number): void {
    if (this.builder.length + added > this.limits.maxOperations)
      throw tooMany(at, "The program expands to", this.limits.maxOperations, "operations");
  }

  /** Declares what a faulty statement would have declared. */
  #declareFaulty({ kind, ...node }: StatementNode): void {
    if (!FAULTY.has(kind)) return;
    const { name } = (node as { name: NameNode }).name;
    const known = this.scope === this.global ? this.gateNamed(name) : undefined;
    if (known && this.library.isOwn(known)) this.scope.override(name, { kind: "faulty", isConst: true });
    else this.scope.declare(name, { kind: "faulty", isConst: true });
  }
}
