import type { CircuitParts } from "../circuit/circuit.ts";
import { evaluator } from "../circuit/evaluate.ts";
import { constant, type Expression, isList } from "../circuit/expression.ts";
import type { Gate } from "../circuit/gate.ts";
import type { Compute, Memory, Value } from "../circuit/memory.ts";
import type { GraphEdge, MemoryRange, Statement, StatementList } from "../circuit/statement.ts";
import { BOOL, type Type } from "../circuit/values/types.ts";
import { memoized } from "../memoized.ts";
import { instructionOf, iterationOf, type SimpleStatement } from "./link-statement.ts";
import { Recursion } from "./recursion.ts";

type Of<K extends Statement["kind"]> = Extract<Statement, { readonly kind: K }>;
type Compound = Exclude<Statement["kind"], SimpleStatement["kind"]>;
type Links = { readonly [K in Compound]: (statement: Of<K>) => void };

/** Returns the statements of a circuit as instructions with jumps and functions, made once. */
export const link = memoized((parts: CircuitParts): LinkedProgram => {
  const builder = new Linker(parts).link(parts.body);
  builder.add({ kind: "end" });
  const { instructions, lifetimes } = builder;
  return { parts, instructions, lifetimes };
});

/** Lays statements out one after the other. */
class Linker {
  readonly #parts: CircuitParts;
  readonly #builder = new InstructionBuilder();
  #loop: { readonly breaks: Jump[]; readonly continues: Jump[] } = { breaks: [], continues: [] };
  #returns: Jump[] = [];
  readonly #recursions = new Map<number, Recursion>();
  #depth = 0;
  readonly #made = new Map<object, unknown>();

  readonly #links: Links = {
    operations: ({ start, end }) => this.#builder.add({ kind: "operations", start, end }),
    box: ({ body }) => this.#body(body),
    scope: ({ memory, body }) => this.#builder.withLifetime(memory, () => this.#body(body)),
    subroutine: statement => this.#subroutine(statement),
    recurse: statement => this.#recurse(statement),
    if: statement => this.#if(statement),
    while: statement => this.#while(statement),
    for: statement => this.#for(statement),
    switch: statement => this.#switch(statement),
    graph: statement => this.#graph(statement),
    break: () => this.#loop.breaks.push(this.#builder.jump()),
    continue: () => this.#loop.continues.push(this.#builder.jump()),
    return: () => this.#returns.push(this.#builder.jump()),
    end: () => this.#builder.add({ kind: "end" }),
  };

  constructor(parts: CircuitParts) {
    this.#parts = parts;
  }

  link(statements: StatementList): InstructionBuilder {
    this.#body(statements);
    return this.#builder;
  }

  #body(statements: StatementList): void {
    for (const statement of statements) this.#statement(statement);
  }

  #statement(statement: Statement): void {
    const link = (this.#links as Partial<Record<Statement["kind"], (statement: Statement) => void>>)[
      statement.kind
    ];
    if (link) link(statement);
    else {
      const simple = statement as SimpleStatement;
      const instruction = this.#shared(simple, () => {
        const made = instructionOf(this.#parts, simple);
        return made && { ...made, source: simple };
      });
      if (instruction) this.#builder.add(instruction);
    }
  }

  /** Returns the result of `make` for a part of a program, computed once for all calls that share the part. */
  #shared<T>(part: object, make: () => T): T {
    if (this.#depth === 0) return make();
    let made = this.#made.get(part) as T | undefined;
    if (made === undefined) {
      made = make();
      this.#made.set(part, made);
    }
    return made;
  }

  #if({ condition, body, otherwise }: Of<"if">): void {
    const test = this.#shared(condition, () => evaluator(condition));
    const skip = this.#builder.jumpIfFalse(test, onlyBitOf(condition), condition);
    this.#body(body);
    if (otherwise) {
      const leave = this.#builder.jump();
      this.#builder.land([skip]);
      this.#body(otherwise);
      this.#builder.land([leave]);
    } else this.#builder.land([skip]);
  }

  /** Lays out the body of a loop, and returns the jumps that leave it. */
  #round(body: readonly Statement[]): readonly Jump[] {
    const outer = this.#loop;
    const loop = { breaks: [], continues: [] };
    this.#loop = loop;
    this.#body(body);
    this.#loop = outer;
    this.#builder.land(loop.continues);
    return loop.breaks;
  }

  #while({ before, condition, body, range }: Of<"while">): void {
    const head = this.#builder.next;
    this.#body(before);
    const test = this.#shared(condition, () => evaluator(condition));
    const leave = this.#builder.jumpIfFalse(test, undefined, condition);
    const breaks = this.#round(body);
    this.#builder.jump(head, range?.[0]);
    this.#builder.land([leave, ...breaks]);
  }

  #for({ slot, values, body, range }: Of<"for">): void {
    const { before, test, each, advance } = this.#shared(values, () => iterationOf(slot, values));
    for (const { slot: to, value } of before) this.#builder.assign(to, value);
    const head = this.#builder.next;
    const leave = this.#builder.jumpIfFalse(test);
    for (const { slot: to, value } of each) this.#builder.assign(to, value);
    const breaks = this.#round(body);
    this.#builder.assign(advance.slot, advance.value);
    this.#builder.jump(head, range?.[0], true);
    this.#builder.land([leave, ...breaks]);
  }

  #switch({ slot, value, cases }: Of<"switch">): void {
    const run = this.#shared(value, () => evaluator(value));
    this.#builder.assign(slot, run, { kind: "assign", slot, value });
    const ends: Jump[] = [];
    for (const { values, body } of cases) {
      const skip =
        values &&
        this.#builder.jumpIfFalse(
          ({ slots }) => values.includes(slots[slot] as bigint),
          undefined,
          isOneOf(slot, value.type, values),
        );
      this.#body(body);
      ends.push(this.#builder.jump());
      if (skip) this.#builder.land([skip]);
    }
    this.#builder.land(ends);
  }

  #subroutine({ body, frame }: Of<"subroutine">): void {
    const outer = this.#returns;
    const outerLoop = this.#loop;
    this.#returns = [];
    const recursion = frame && new Recursion(frame, this.#builder);
    if (frame && recursion) this.#recursions.set(frame.stack, recursion);
    this.#depth++;
    this.#body(body);
    this.#depth--;
    this.#builder.land(this.#returns);
    recursion?.end();
    this.#returns = outer;
    this.#loop = outerLoop;
  }

  #recurse({ name, stack, set, range }: Of<"recurse">): void {
    const recursion = this.#recursions.get(stack)!;
    recursion.push(name, range?.[0]);
    this.#body(set);
    recursion.call(range?.[0]);
  }

  #graph({ blocks }: Of<"graph">): void {
    const builder = this.#builder;
    const starts: number[] = [];
    const jumps: { readonly jump: Jump; readonly to: number }[] = [];
    for (const { body, edges, locals } of blocks) {
      const start = builder.next;
      starts.push(start);
      this.#body(body);
      for (const edge of edges) jumps.push(linkEdge(builder, edge));
      if (edges.length === 0) builder.add({ kind: "end" });
      for (const slot of locals)
        builder.lifetimes.push({
          memory: { slots: [slot, slot + 1], bits: [0, 0] },
          start,
          end: builder.next,
        });
    }
    for (const { jump, to } of jumps) jump.target = to < 0 ? builder.next : starts[to]!;
  }
}

/** Returns the bit that an expression reads, where that is all it reads of the memory. */
function onlyBitOf(node: Expression): number | undefined {
  switch (node.kind) {
    case "bits":
      return isList(node.bits) && node.bits.length === 1 ? node.bits[0] : undefined;
    case "unary":
    case "cast":
      return onlyBitOf(node.operand);
    case "binary":
      return node.right.kind === "constant" ? onlyBitOf(node.left) : undefined;
    default:
      return undefined;
  }
}

/** Returns the expression that is true where a slot holds one of some values. */
const isOneOf = (slot: number, type: Type, values: readonly bigint[]): Expression =>
  values
    .map(
      (value): Expression => ({
        ...{ kind: "binary", operator: "==", type: BOOL },
        ...{ left: { kind: "slot", type, slot }, right: constant(type, value) },
      }),
    )
    .reduce((left, right) => ({ kind: "binary", operator: "||", type: BOOL, left, right }));

/** Adds the way from a block of a graph to another, and returns its jump. */
function linkEdge(builder: InstructionBuilder, edge: GraphEdge): { jump: Jump; to: number } {
  const { condition, to, moves, at } = edge;
  const skip = condition && builder.jumpIfFalse(evaluator(condition), undefined, condition);
  if (moves.length > 0) {
    const slots = moves.map(({ slot }) => slot);
    const values = moves.map(({ value }) => value);
    const runs = values.map(evaluator);
    builder.add({
      ...{ kind: "fill", slots: () => slots, values: memory => runs.map(run => run(memory)) },
      source: { kind: "fill", slots, values: { kind: "values", values } },
    });
  }
  const jump = builder.jump(0, at);
  if (skip) builder.land([skip]);
  return { jump, to };
}

type Indices = Compute<readonly number[]>;

interface InstructionTable {
  operations: { readonly start: number; readonly end: number };
  /** A call of a gate; `calls` returns the qubits of each application. */
  gate: {
    readonly at: number | undefined;
    readonly gate: (memory: Memory) => Gate;
    readonly params: readonly Compute<number>[];
    readonly calls: (memory: Memory, gate: Gate) => readonly (readonly number[])[];
  };
  measure: { readonly at: number | undefined; readonly qubits: Indices; readonly bits: Indices | null };
  reset: { readonly at: number | undefined; readonly qubits: Indices };
  assign: { readonly slot: number; readonly value: Compute };
  fill: { readonly slots: Indices; readonly values: Compute<readonly Value[]> };
  store: { readonly bits: Indices; readonly value: Compute<bigint> };
  check: { readonly check: (memory: Memory) => void };
  /** A jump; `loop` is the offset of the loop whose head it leads back to, which is counted if it has an end. */
  jump: { target: number; readonly loop?: number; readonly isCounted?: boolean };
  /** A jump if a condition is false, which is made of `expression`; `bit` is the only one that it reads, or undefined. */
  jumpIfFalse: {
    readonly condition: Compute<boolean>;
    readonly bit?: number | undefined;
    readonly expression?: Expression;
    target: number;
  };
  end: Record<never, never>;
}

/** A step of a linked program. `at` is the offset of a possible error in the source, `source` the statement. */
export type Instruction = {
  [K in keyof InstructionTable]: { readonly kind: K; readonly source?: Statement } & InstructionTable[K];
}[keyof InstructionTable];

/** Slots and bits used only within a range of instructions; ends are not included. */
export interface Lifetime {
  readonly memory: MemoryRange;
  readonly start: number;
  readonly end: number;
}

/** A circuit as it is run: its statements one after the other, with jumps, and expressions as functions. */
export interface LinkedProgram {
  readonly parts: CircuitParts;
  readonly instructions: readonly Instruction[];
  readonly lifetimes: readonly Lifetime[];
}

/** A jump whose target is set once it is known. */
export interface Jump {
  target: number;
}

/** Collects instructions in order, and the lifetimes of their memory. */
export class InstructionBuilder {
  readonly instructions: Instruction[] = [];
  readonly lifetimes: Lifetime[] = [];

  get next(): number {
    return this.instructions.length;
  }

  add<T extends Instruction>(instruction: T): T {
    this.instructions.push(instruction);
    return instruction;
  }

  /** Adds a jump; `loop` is the offset of the loop whose head it leads back to, which is counted where it has an end. */
  jump(target = 0, loop?: number, isCounted = false): Jump {
    return this.add({ kind: "jump", target, ...(loop === undefined ? {} : { loop, isCounted }) });
  }

  /** Adds a jump that is taken where a condition is false; `bit` is the only one that it reads, or undefined. */
  jumpIfFalse(condition: Compute, bit?: number, expression?: Expression): Jump {
    const test = condition as Compute<boolean>;
    return this.add({
      ...{ kind: "jumpIfFalse", condition: test, bit, target: 0 },
      ...(expression ? { expression } : {}),
    });
  }

  assign(slot: number, value: Compute, source?: Statement): void {
    this.add({ kind: "assign", slot, value, ...(source ? { source } : {}) });
  }

  /** Lets jumps lead to the instruction that is added next. */
  land(jumps: readonly Jump[]): void {
    for (const jump of jumps) jump.target = this.next;
  }

  /** Limits the lifetime of slots and bits to the instructions that `fill` adds. */
  withLifetime(memory: MemoryRange, fill: () => void): void {
    const start = this.next;
    fill();
    this.lifetimes.push({ memory, start, end: this.next });
  }
}
