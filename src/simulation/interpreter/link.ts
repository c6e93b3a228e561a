import type { CircuitParts } from "../circuit/circuit.ts";
import { evaluate, valuesOf } from "../circuit/evaluate.ts";
import { constant, type Expression, isList } from "../circuit/expression.ts";
import type { Compute, Memory, Value } from "../circuit/memory.ts";
import type { GraphEdge, LoopValues, MemoryRange, Statement, StatementList } from "../circuit/statement.ts";
import { BOOL, type Type } from "../circuit/values/types.ts";
import { EvaluationError } from "../errors.ts";
import { memoized } from "../memoized.ts";
import { Recursion } from "./recursion.ts";

type Of<K extends Statement["kind"]> = Extract<Statement, { readonly kind: K }>;
type Simple = "gate" | "measure" | "reset" | "assign" | "resolve" | "fill" | "store" | "delay" | "duration";

/** A step of a linked program: a statement without others in it, or what the others come to. */
export type Instruction =
  | Of<Simple | "operations" | "end">
  /** Sets slots, and bits, as a loop or a subroutine that calls itself needs it. */
  | { readonly kind: "set"; readonly slots: readonly number[]; readonly set: (memory: Memory) => void }
  | Jump
  | ConditionalJump;

/** A jump; `loop` is the offset of the loop whose head it leads back to, which is counted if it has an end. */
export interface Jump {
  readonly kind: "jump";
  target: number;
  readonly loop?: number | undefined;
  readonly isCounted?: boolean;
}

/** A jump if a condition is false, which is made of `expression`; `bit` is the only one that it reads, or undefined. */
export interface ConditionalJump {
  readonly kind: "jumpIfFalse";
  target: number;
  readonly condition: Compute;
  readonly expression?: Expression | undefined;
  readonly bit?: number | undefined;
}

/** Slots and bits used only within a range of instructions; ends are not included. */
export interface Lifetime {
  readonly memory: MemoryRange;
  readonly start: number;
  readonly end: number;
}

/** A circuit as it is run: its statements one after the other, with jumps. */
export interface LinkedProgram {
  readonly parts: CircuitParts;
  readonly instructions: readonly Instruction[];
  readonly lifetimes: readonly Lifetime[];
}

/** Returns the statements of a circuit one after the other, made once. */
export const link = memoized((parts: CircuitParts): LinkedProgram => {
  const linker = new Linker();
  linker.addAll(parts.body);
  linker.add({ kind: "end" });
  const { instructions, lifetimes } = linker;
  return { parts, instructions, lifetimes };
});

/** Lays statements out one after the other, and collects the lifetimes of their memory. */
export class Linker {
  readonly instructions: Instruction[] = [];
  readonly lifetimes: Lifetime[] = [];
  #loop: { readonly breaks: Jump[]; readonly continues: Jump[] } = { breaks: [], continues: [] };
  #returns: Jump[] = [];
  readonly #recursions = new Map<number, Recursion>();

  /** The place of the instruction that is added next. */
  get next(): number {
    return this.instructions.length;
  }

  add<T extends Instruction>(instruction: T): T {
    this.instructions.push(instruction);
    return instruction;
  }

  /** Adds a jump; `loop` is the offset of the loop whose head it leads back to, which is counted where it has an end. */
  jump(target = 0, loop?: number, isCounted = false): Jump {
    return this.add({ kind: "jump", target, loop, isCounted });
  }

  set(slot: number, compute: Compute): void {
    const set = (memory: Memory) => {
      memory.slots[slot] = compute(memory);
    };
    this.add({ kind: "set", slots: [slot], set });
  }

  /** Adds a jump that is taken where a condition is false. */
  jumpUnless(condition: Compute): ConditionalJump {
    return this.add({ kind: "jumpIfFalse", target: 0, condition });
  }

  /** The same for a condition that is an expression. */
  #unless(
    expression: Expression,
    condition: Compute = memory => evaluate(expression, memory),
  ): ConditionalJump {
    return this.add({ kind: "jumpIfFalse", target: 0, condition, expression, bit: onlyBitOf(expression) });
  }

  /** Lets jumps lead to the instruction that is added next. */
  land(jumps: readonly { target: number }[]): void {
    for (const jump of jumps) jump.target = this.next;
  }

  addAll(statements: StatementList): void {
    for (const statement of statements) this.#statement(statement);
  }

  #statement(statement: Statement): void {
    switch (statement.kind) {
      case "box":
        this.addAll(statement.body);
        return;
      case "scope": {
        const start = this.next;
        this.addAll(statement.body);
        this.lifetimes.push({ memory: statement.memory, start, end: this.next });
        return;
      }
      case "subroutine":
        this.#subroutine(statement);
        return;
      case "recurse": {
        const recursion = this.#recursions.get(statement.stack)!;
        recursion.push(statement.name, statement.range?.[0]);
        this.addAll(statement.set);
        recursion.call(statement.range?.[0]);
        return;
      }
      case "if":
        this.#if(statement);
        return;
      case "while": {
        const head = this.next;
        this.addAll(statement.before);
        const leave = this.#unless(statement.condition);
        this.#round(statement, head, leave);
        return;
      }
      case "for":
        this.#for(statement);
        return;
      case "switch":
        this.#switch(statement);
        return;
      case "graph":
        this.#graph(statement);
        return;
      case "break":
        this.#loop.breaks.push(this.jump());
        return;
      case "continue":
        this.#loop.continues.push(this.jump());
        return;
      case "return":
        this.#returns.push(this.jump());
        return;
      case "delay":
      case "duration":
        if (statement.duration.value === undefined) this.add(statement);
        return;
      default:
        this.add(statement);
    }
  }

  #if({ condition, body, otherwise }: Of<"if">): void {
    const skip = this.#unless(condition);
    this.addAll(body);
    const leave = otherwise && this.jump();
    this.land([skip]);
    if (!leave) return;
    this.addAll(otherwise);
    this.land([leave]);
  }

  /** Lays out the body of a loop and what comes before its next round, which `head` begins with; `leave` ends it. */
  #round(
    { kind, body, range }: Of<"while" | "for">,
    head: number,
    leave: ConditionalJump,
    advance = () => {},
  ): void {
    const outer = this.#loop;
    const { breaks, continues } = { breaks: [] as Jump[], continues: [] as Jump[] };
    this.#loop = { breaks, continues };
    this.addAll(body);
    this.#loop = outer;
    this.land(continues);
    advance();
    this.jump(head, range?.[0], kind === "for");
    this.land([leave, ...breaks]);
  }

  /** Lays out a loop on its three slots: the value of the round, and two that hold its progress. */
  #for(statement: Of<"for">): void {
    const { slot, values } = statement;
    const [second, third] = [slot + 1, slot + 2];
    if (values.kind === "list") {
      const listOf = ({ slots }: Memory) => slots[second] as readonly Value[];
      this.set(second, memory => valuesOf(values.list, memory));
      this.set(third, () => 0);
      const head = this.next;
      const leave = this.jumpUnless(memory => (memory.slots[third] as number) < listOf(memory).length);
      this.set(slot, memory => listOf(memory)[memory.slots[third] as number]!);
      this.#round(statement, head, leave, () => this.set(third, ({ slots }) => (slots[third] as number) + 1));
      return;
    }
    this.set(slot, memory => evaluate(values.start, memory));
    this.set(second, memory => evaluate(values.stop, memory));
    this.set(third, memory => stepOf(values, memory));
    const head = this.next;
    const leave = this.jumpUnless(({ slots }) =>
      (slots[third] as bigint) > 0n ? slots[slot]! <= slots[second]! : slots[slot]! >= slots[second]!,
    );
    this.#round(statement, head, leave, () =>
      this.set(slot, ({ slots }) => (slots[slot] as bigint) + (slots[third] as bigint)),
    );
  }

  #switch({ slot, value, cases }: Of<"switch">): void {
    this.add({ kind: "assign", slot, value });
    const ends: Jump[] = [];
    for (const { values, body } of cases) {
      const skip =
        values &&
        this.#unless(isOneOf(slot, value.type, values), ({ slots }) =>
          values.includes(slots[slot] as bigint),
        );
      this.addAll(body);
      ends.push(this.jump());
      if (skip) this.land([skip]);
    }
    this.land(ends);
  }

  #subroutine({ body, frame }: Of<"subroutine">): void {
    const [outer, outerLoop] = [this.#returns, this.#loop];
    this.#returns = [];
    const recursion = frame && new Recursion(frame, this);
    if (recursion) this.#recursions.set(frame.stack, recursion);
    this.addAll(body);
    this.land(this.#returns);
    recursion?.end();
    [this.#returns, this.#loop] = [outer, outerLoop];
  }

  #graph({ blocks }: Of<"graph">): void {
    const starts: number[] = [];
    const jumps: { readonly jump: Jump; readonly to: number }[] = [];
    for (const { body, edges, locals } of blocks) {
      const start = this.next;
      starts.push(start);
      this.addAll(body);
      for (const edge of edges) jumps.push({ jump: this.#edge(edge), to: edge.to });
      if (edges.length === 0) this.add({ kind: "end" });
      for (const slot of locals)
        this.lifetimes.push({ memory: { slots: [slot, slot + 1], bits: [0, 0] }, start, end: this.next });
    }
    for (const { jump, to } of jumps) jump.target = to < 0 ? this.next : starts[to]!;
  }

  /** Adds the way from a block of a graph to another, and returns its jump. */
  #edge({ condition, moves, at }: GraphEdge): Jump {
    const skip = condition && this.#unless(condition);
    const slots = moves.map(({ slot }) => slot);
    const values = moves.map(({ value }) => value);
    if (slots.length > 0) this.add({ kind: "fill", slots, values: { kind: "values", values } });
    const jump = this.jump(0, at);
    if (skip) this.land([skip]);
    return jump;
  }
}

function stepOf({ step, at }: LoopValues & { kind: "range" }, memory: Memory): Value {
  const value = step ? evaluate(step, memory) : 1n;
  if (value === 0n) throw new EvaluationError("A range takes steps of zero.", at);
  return value;
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
