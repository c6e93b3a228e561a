import type { CircuitParts } from "../circuit/circuit.ts";
import { evaluator, indexEvaluator } from "../circuit/evaluate.ts";
import { listEvaluator } from "../circuit/evaluate-list.ts";
import type { Compute } from "../circuit/memory.ts";
import type { GraphEdge, MemoryRange, Statement } from "../circuit/statement.ts";
import type { Instruction, Lifetime, LinkedProgram } from "./instruction.ts";
import { iterationOf } from "./iteration.ts";
import { durationCheck, modifiedGate } from "./link-calls.ts";
import { type Recursion, startRecursion } from "./recursion.ts";

const known = new WeakMap<readonly Statement[], LinkedProgram>();

/** Returns the statements of a circuit as instructions with jumps and functions, made once. */
export function link(parts: CircuitParts): LinkedProgram {
  let program = known.get(parts.body);
  if (!program) {
    program = new Linker(parts).link();
    known.set(parts.body, program);
  }
  return program;
}

type Jump = { target: number };
type Of<K extends Statement["kind"]> = Extract<Statement, { readonly kind: K }>;

/** Lays statements out one behind the other. */
class Linker {
  readonly #parts: CircuitParts;
  readonly #instructions: Instruction[] = [];
  readonly #lifetimes: Lifetime[] = [];
  #loop: { readonly breaks: Jump[]; readonly continues: Jump[] } = { breaks: [], continues: [] };
  #returns: Jump[] = [];
  readonly #recursions = new Map<number, Recursion>();

  constructor(parts: CircuitParts) {
    this.#parts = parts;
  }

  link(): LinkedProgram {
    this.#body(this.#parts.body);
    this.#add({ kind: "end" });
    return { parts: this.#parts, instructions: this.#instructions, lifetimes: this.#lifetimes };
  }

  #add<T extends Instruction>(instruction: T): T {
    this.#instructions.push(instruction);
    return instruction;
  }

  #jump(target = 0, loop?: number): Jump {
    return this.#add({ kind: "jump", target, ...(loop === undefined ? {} : { loop }) });
  }

  #unless(condition: Compute): Jump {
    return this.#add({ kind: "unless", condition: condition as Compute<boolean>, target: 0 });
  }

  #set(slot: number, value: Compute): void {
    this.#add({ kind: "assign", slot, value });
  }

  get #here(): number {
    return this.#instructions.length;
  }

  #land(jumps: readonly Jump[]): void {
    for (const jump of jumps) jump.target = this.#here;
  }

  #body(statements: readonly Statement[]): void {
    for (const statement of statements) this.#statement(statement);
  }

  #statement(statement: Statement): void {
    const at = statement.range?.[0];
    switch (statement.kind) {
      case "operations":
        this.#add({ kind: "operations", start: statement.start, end: statement.end });
        return;
      case "gate":
        this.#add({
          kind: "gate",
          at,
          gate: modifiedGate(this.#parts.gates[statement.gate]!, statement.modifiers, at),
          params: statement.params.map(param => evaluator(param) as Compute<number>),
          qubits: statement.qubits.map(indexEvaluator),
        });
        return;
      case "measure":
        this.#add({
          kind: "measure",
          at,
          qubits: indexEvaluator(statement.qubits),
          bits: statement.bits && indexEvaluator(statement.bits),
        });
        return;
      case "reset":
        this.#add({ kind: "reset", qubits: indexEvaluator(statement.qubits) });
        return;
      case "assign":
        this.#set(statement.slot, evaluator(statement.value));
        return;
      case "resolve":
        this.#set(statement.slot, indexEvaluator(statement.indices));
        return;
      case "fill":
        this.#add({
          kind: "fill",
          slots: indexEvaluator(statement.slots),
          values: listEvaluator(statement.values),
        });
        return;
      case "store":
        this.#add({
          kind: "store",
          bits: indexEvaluator(statement.bits),
          value: evaluator(statement.value) as Compute<bigint>,
        });
        return;
      case "delay":
      case "duration":
        if (statement.duration.value === undefined)
          this.#add({ kind: "check", check: durationCheck(statement) });
        return;
      case "box":
        this.#body(statement.body);
        return;
      case "scope":
        this.#within(statement.memory, () => this.#body(statement.body));
        return;
      case "subroutine":
        this.#subroutine(statement);
        return;
      case "recurse":
        this.#recurse(statement);
        return;
      case "if":
        this.#if(statement);
        return;
      case "while":
        this.#while(statement);
        return;
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
        this.#loop.breaks.push(this.#jump());
        return;
      case "continue":
        this.#loop.continues.push(this.#jump());
        return;
      case "return":
        this.#returns.push(this.#jump());
        return;
      case "end":
        this.#add({ kind: "end" });
    }
  }

  #within(memory: MemoryRange, fill: () => void): void {
    const start = this.#here;
    fill();
    this.#lifetimes.push({ ...memory, instructions: [start, this.#here] });
  }

  #if({ condition, body, otherwise }: Of<"if">): void {
    const skip = this.#unless(evaluator(condition));
    this.#body(body);
    if (otherwise) {
      const leave = this.#jump();
      this.#land([skip]);
      this.#body(otherwise);
      this.#land([leave]);
    } else this.#land([skip]);
  }

  /** Lays out the body of a loop, and answers with the jumps that leave it. */
  #round(body: readonly Statement[]): readonly Jump[] {
    const outer = this.#loop;
    const loop = { breaks: [], continues: [] };
    this.#loop = loop;
    this.#body(body);
    this.#loop = outer;
    this.#land(loop.continues);
    return loop.breaks;
  }

  #while({ before, condition, body, range }: Of<"while">): void {
    const head = this.#here;
    this.#body(before);
    const leave = this.#unless(evaluator(condition));
    const breaks = this.#round(body);
    this.#jump(head, range?.[0]);
    this.#land([leave, ...breaks]);
  }

  #for({ slot, values, body, range }: Of<"for">): void {
    const { before, test, each, advance } = iterationOf(slot, values);
    for (const { slot: to, value } of before) this.#set(to, value);
    const head = this.#here;
    const leave = this.#unless(test);
    for (const { slot: to, value } of each) this.#set(to, value);
    const breaks = this.#round(body);
    this.#set(advance.slot, advance.value);
    this.#jump(head, range?.[0]);
    this.#land([leave, ...breaks]);
  }

  #switch({ slot, value, cases }: Of<"switch">): void {
    this.#set(slot, evaluator(value));
    const ends: Jump[] = [];
    for (const { values, body } of cases) {
      const skip = values && this.#unless(({ slots }) => values.includes(slots[slot] as bigint));
      this.#body(body);
      ends.push(this.#jump());
      if (skip) this.#land([skip]);
    }
    this.#land(ends);
  }

  #subroutine({ body, frame }: Of<"subroutine">): void {
    const outer = this.#returns;
    const outerLoop = this.#loop;
    this.#returns = [];
    const recursion = frame && startRecursion(frame, (...added) => this.#instructions.push(...added));
    if (frame && recursion) this.#recursions.set(frame.stack, recursion);
    recursion?.begin(this.#here);
    this.#body(body);
    this.#land(this.#returns);
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
    const starts: number[] = [];
    const jumps: { readonly jump: Jump; readonly to: number }[] = [];
    for (const { body, edges, locals } of blocks) {
      const start = this.#here;
      starts.push(start);
      this.#body(body);
      for (const edge of edges) this.#edge(edge, jumps);
      if (edges.length === 0) this.#add({ kind: "end" });
      for (const slot of locals)
        this.#lifetimes.push({ slots: [slot, slot + 1], bits: [0, 0], instructions: [start, this.#here] });
    }
    for (const { jump, to } of jumps) jump.target = to < 0 ? this.#here : starts[to]!;
  }

  #edge({ condition, to, moves, at }: GraphEdge, jumps: { jump: Jump; to: number }[]): void {
    const skip = condition && this.#unless(evaluator(condition));
    if (moves.length > 0) {
      const slots = moves.map(({ slot }) => slot);
      const values = moves.map(({ value }) => evaluator(value));
      this.#add({ kind: "fill", slots: () => slots, values: memory => values.map(run => run(memory)) });
    }
    jumps.push({ jump: this.#jump(0, at), to });
    if (skip) this.#land([skip]);
  }
}
