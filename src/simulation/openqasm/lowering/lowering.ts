import { CircuitBuilder } from "../../circuit/builder.ts";
import type { Circuit } from "../../circuit/circuit.ts";
import type { Gate } from "../../circuit/gate.ts";
import { OPERATION } from "../../circuit/operations.ts";
import type { SourceText } from "../../source-text.ts";
import { DiagnosticError, type Diagnostics } from "../diagnostics/diagnostic.ts";
import { Arrays } from "../expressions/arrays.ts";
import { AlreadyReportedError, errorAt } from "../expressions/compiled.ts";
import { ExpressionCompiler } from "../expressions/expressions.ts";
import { Inputs, type InputValue } from "../expressions/inputs.ts";
import { RegisterResolver } from "../expressions/registers.ts";
import { Scope, type ScopeEntry } from "../expressions/scope.ts";
import type { NameNode, NodeList, StatementNode } from "../syntax/ast.ts";
import type { CompileLimits } from "../syntax/limits.ts";
import type { Reading } from "../syntax/parse.ts";
import type { SourceProgram } from "../syntax/source.ts";
import { Expansion, type LoweringContext, outputsOf, type Result, type SubroutineState } from "./context.ts";
import { hardwareQubit } from "./declarations.ts";
import { labelOf } from "./gate-calls.ts";
import { CALLED, type Includes, type Library, libraries } from "./includes.ts";
import { measuredValue } from "./measurements.ts";
import { lowerStatement } from "./statements.ts";
import { callSubroutine } from "./subroutines.ts";
import { lowerOperands, Temporaries } from "./temporaries.ts";
import { durationOf } from "./timing.ts";
import { takeBits } from "./variables.ts";

const IMPLIED_GATES = "No include: the gates are Braket's.";
const IMPLIED_MEASUREMENT = "No variables: all qubits are measured.";

/** Statements whose variables are in use after them. */
const DECLARATIONS: ReadonlySet<StatementNode["kind"]> = new Set([
  ...(["classical", "quantum", "alias", "include"] as const),
]);

/** Checks statements and lowers them into a circuit, one after the other. */
export class Lowering implements LoweringContext {
  /** Circuit being built. */
  readonly program = new CircuitBuilder();
  /** The builder that statements are lowered to: that of the program, or one of its own where they are only checked. */
  builder = this.program;
  readonly expressions: ExpressionCompiler;
  readonly registers: RegisterResolver;
  readonly source: string;
  readonly includes: Includes;
  readonly limits: CompileLimits;
  readonly diagnostics: Diagnostics;
  readonly library: Library;
  readonly expansion: Expansion;
  readonly inputs: Inputs;
  /** The variables of the program that can be its results. */
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
  readonly postponedArms = new Map<StatementNode, number>();
  statementNode: StatementNode | null = null;
  loopDepth = 0;
  numHardwareQubits = 0;
  hasInclude = false;
  readonly global = new Scope(null);
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
    for (const gate of this.library.builtIn)
      this.global.declare(gate.name, { kind: "gate", gate, isConst: true });
    this.expressions = new ExpressionCompiler({
      scope: this.global,
      note: (node, message) => this.note(node, message),
      countMembers: (count, at, weight = 0.5) =>
        this.expansion.add(weight * count, at, () => `This has ${count.toLocaleString("en-US")} members`),
      callSubroutine: node => callSubroutine(this, node),
      lowerOperands: (node, left, compileRight) => lowerOperands(this, node, left, compileRight),
      durationOf: node => durationOf(this, node),
      measure: operand => measuredValue(this, operand),
    });
    this.registers = new RegisterResolver(this.expressions, (index, node) =>
      hardwareQubit(this, index, node),
    );
    this.expressions.registers = this.registers;
    this.expressions.arrays = new Arrays(this.expressions);
    this.inputs = new Inputs(inputs, this.expressions, limits, openInputs);
  }

  /** Returns the gate that a name stands for in the program, or undefined. */
  gateNamed(name: string): Gate | undefined {
    const symbol = this.global.find(name);
    return typeof symbol === "object" && symbol.kind === "gate" ? symbol.gate : undefined;
  }

  /** Declares and returns a gate that a program without an include has in Braket's dialect; undefined for other names. */
  impliedGate({ name, at }: NameNode): Gate | undefined {
    const gate = this.hasInclude ? undefined : this.#impliedGate?.(name);
    if (!gate) return undefined;
    this.global.declare(name, { kind: "gate", gate, isConst: true });
    this.note({ at }, IMPLIED_GATES);
    return gate;
  }

  /** Whether the program declares a name. */
  isDeclared(name: string): boolean {
    return this.global.find(name) !== undefined;
  }

  /** Returns the qubits of a register of the program, or undefined. */
  registerNamed(name: string): readonly number[] | undefined {
    const symbol = this.global.find(name);
    if (
      typeof symbol !== "object" ||
      symbol.kind !== "register" ||
      symbol.ref.kind !== "qubit" ||
      symbol.ref.isSingle
    )
      return undefined;
    return symbol.ref.known ?? undefined;
  }

  /** Checks and lowers a statement; an error in it is reported. */
  statement(node: StatementNode): void {
    const { builder, statementNode } = this;
    const { range } = builder;
    this.statementNode = node;
    try {
      if (++this.#count > this.limits.maxOperations) this.checkLength(this.#count, node.at);
      if (++this.#depth > 2 * this.limits.maxDepth)
        throw new DiagnosticError(node.at, "Subroutines nest too deep here.", { isFatal: true });
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

  /** Records a note for the reader of the program, at the first place that it is true of. */
  note({ at }: { readonly at: number }, message: string): void {
    if (this.#noted.size === this.#noted.add(message).size) return;
    this.program.notes.push({ ...this.#text.locate(at), message });
  }

  /** Lowers statements in a scope of their own. */
  body(nodes: NodeList, scope = new Scope(this.expressions.context.scope)): void {
    const outer = this.expressions.context.scope;
    this.expressions.context.scope = scope;
    try {
      for (const node of nodes) this.statement(node);
    } finally {
      this.expressions.context.scope = outer;
    }
  }

  /** Returns the finished circuit. */
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

  /** Declares a name in the scope of the place that is lowered; one of the library gives way to it. */
  declare(name: NameNode, symbol: ScopeEntry): void {
    const { scope } = this.expressions.context;
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

  /** Returns the text of a part of the program for a label. */
  label(node: { at: number; end: number }): string {
    return labelOf(this.source, node);
  }

  /** Ends the lowering where so many more operations are too many. */
  checkLength(added: number, at: number): void {
    if (this.builder.length + added > this.limits.maxOperations)
      throw new DiagnosticError(
        at,
        `The program expands to more than ${this.limits.maxOperations.toLocaleString("en-US")} operations.`,
        {
          isFatal: true,
        },
      );
  }

  #declareAnew(name: string): void {
    const { scope } = this.expressions.context;
    const known = scope === this.global ? this.gateNamed(name) : undefined;
    if (known && this.library.isOwn(known)) scope.override(name, { kind: "faulty", isConst: true });
    else scope.declare(name, { kind: "faulty", isConst: true });
  }

  #declareFaulty(node: StatementNode): void {
    if (
      node.kind === "quantum" ||
      node.kind === "classical" ||
      node.kind === "alias" ||
      node.kind === "gate" ||
      node.kind === "def" ||
      node.kind === "extern"
    )
      this.#declareAnew(node.name.name);
  }
}
