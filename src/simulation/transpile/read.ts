import type { CircuitParts } from "../circuit/circuit.ts";
import { listEvaluator } from "../circuit/evaluate-list.ts";
import { constant, isList, type OperandIndices } from "../circuit/expression.ts";
import { bitsOfWord, type Compute, type Value } from "../circuit/memory.ts";
import { NO_BIT, NOWHERE, OPERATION } from "../circuit/operations.ts";
import { bodiesOf, type Statement } from "../circuit/statement.ts";
import { structuredGraph } from "../circuit/structure-graph.ts";
import { BOOL, INT } from "../circuit/values/types.ts";
import { EvaluationError, SimulationError } from "../errors.ts";
import { iterationOf } from "../interpreter/iteration.ts";
import { modifiedGate } from "../interpreter/link-calls.ts";
import { locate } from "../interpreter/locations.ts";
import { computedOperations } from "./computed-gates.ts";
import { gateOperations } from "./gate-operations.ts";
import { KnownMemory } from "./known-memory.ts";
import type { Operation, SourcePlace } from "./operation.ts";
import { withoutUnread } from "./unread-slots.ts";

const MAX_OPERATIONS = 1_000_000;

type Of<K extends Statement["kind"]> = Extract<Statement, { readonly kind: K }>;
/** How statements end: with the next one, or with a jump that is known to be taken. */
type Ending = "next" | "break" | "continue" | "return" | "end";

/**
 * Returns what a program does as operations on known qubits. Loops and branches that are decided before the run are
 * carried out; what measurements decide is kept.
 * Throws a {@link SimulationError} where a measurement decides which qubit is meant.
 */
export function readOperations(parts: CircuitParts): readonly Operation[] {
  const reader = new Reader(parts);
  const out: Operation[] = [];
  try {
    reader.read(parts.body, out);
    return withoutUnread(out, parts);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const place = locate(parts, error.at);
    throw new SimulationError(place ? `${place}: ${error.message}` : error.message);
  }
}

class Reader {
  readonly #parts: CircuitParts;
  readonly #all: readonly number[];
  #memory = new KnownMemory();
  #count = 0;
  /** Jumps that were kept in the loop that is carried out. */
  #kept = { breaks: 0, continues: 0, returns: 0 };

  constructor(parts: CircuitParts) {
    this.#parts = parts;
    this.#all = Array.from({ length: parts.numQubits }, (_, i) => i);
  }

  read(statements: readonly Statement[], out: Operation[]): Ending {
    for (const statement of statements) {
      const ending = this.#statement(statement, out);
      if (ending !== "next") return ending;
    }
    return "next";
  }

  #add(out: Operation[], ...operations: readonly Operation[]): void {
    this.#count += operations.length;
    if (this.#count > MAX_OPERATIONS)
      throw new SimulationError(
        `The program comes to more than ${MAX_OPERATIONS.toLocaleString("en-US")} operations, too many to transpile.`,
      );
    for (const operation of operations) out.push(operation);
  }

  #keep(
    out: Operation[],
    statement: Statement,
    bodies: readonly Operation[][] = [],
    qubits: readonly number[] = touchedBy(bodies),
  ): void {
    this.#add(out, { ...placeOf(statement), kind: "statement", statement, bodies, qubits });
  }

  #statement(statement: Statement, out: Operation[]): Ending {
    switch (statement.kind) {
      case "operations":
        this.#operations(statement, out);
        return "next";
      case "gate":
        this.#gate(statement, out);
        return "next";
      case "measure":
        this.#measure(statement, out);
        return "next";
      case "reset":
        for (const qubit of this.#known(statement.qubits, statement))
          this.#add(out, { ...placeOf(statement), kind: "reset", qubits: [qubit] });
        return "next";
      case "assign":
        this.#assign(out, statement, statement.slot, this.#memory.value(statement.value));
        return "next";
      case "resolve":
        this.#assign(out, statement, statement.slot, this.#memory.indices(statement.indices));
        return "next";
      case "fill":
        this.#fill(statement, out);
        return "next";
      case "store":
        this.#store(statement, out);
        return "next";
      case "delay": {
        const qubits = statement.qubits
          ? [...new Set(statement.qubits.flatMap(list => this.#known(list, statement)))]
          : this.#all;
        const duration = this.#memory.value(statement.duration);
        const known =
          duration === undefined ? statement.duration : constant(statement.duration.type, duration);
        this.#keep(out, { ...statement, duration: known }, [], qubits);
        return "next";
      }
      case "duration":
        if (this.#memory.value(statement.duration) === undefined) this.#keep(out, statement);
        return "next";
      case "box": {
        const body: Operation[] = [];
        const ending = this.read(statement.body, body);
        this.#keep(out, statement, [body]);
        return ending;
      }
      case "scope":
        return this.read(statement.body, out);
      case "subroutine":
        return this.#subroutine(statement, out);
      case "if":
        return this.#if(statement, out);
      case "while":
        return this.#while(statement, out);
      case "for":
        return this.#for(statement, out);
      case "switch":
        return this.#switch(statement, out);
      case "graph": {
        const nested = structuredGraph(statement.blocks, this.#parts.classical);
        if (!nested)
          throw new SimulationError(
            "The program's jumps form loops that are entered or left in several places; such a program is not transpiled.",
          );
        return this.read(nested, out);
      }
      case "recurse":
        throw new SimulationError(
          `${this.#where(statement)}${statement.name} calls itself; a program with such a subroutine is not transpiled.`,
        );
      default:
        return statement.kind;
    }
  }

  #operations({ start, end }: Of<"operations">, out: Operation[]): void {
    const { kinds, gates, operands, operandStarts, params, paramStarts, offsets, ends } =
      this.#parts.operations;
    for (let i = start; i < end; i++) {
      const qubits = Array.from(operands.subarray(operandStarts[i]!, operandStarts[i + 1]!));
      const place: SourcePlace = offsets[i] === NOWHERE ? {} : { at: offsets[i], end: ends[i] };
      switch (kinds[i]) {
        case OPERATION.gate: {
          const given = Array.from(params.subarray(paramStarts[i]!, paramStarts[i + 1]!));
          const gate = this.#parts.gates[gates[i]!]!;
          this.#add(out, ...gateOperations(gate, given, qubits, this.#spare(gate.numQubits, qubits), place));
          break;
        }
        case OPERATION.measure:
          this.#measured(qubits[0]!, qubits[1] === NO_BIT ? null : qubits[1]!, place, out);
          break;
        case OPERATION.reset:
          this.#add(out, { ...place, kind: "reset", qubits: [qubits[0]!] });
          break;
        default:
          this.#add(out, { ...place, kind: "barrier", qubits });
      }
    }
  }

  /** Returns the qubits that a large gate may borrow. */
  #spare(numQubits: number, qubits: readonly number[]): readonly number[] {
    if (numQubits <= 5) return [];
    const own = new Set(qubits);
    return this.#all.filter(qubit => !own.has(qubit));
  }

  #measured(qubit: number, bit: number | null, place: SourcePlace, out: Operation[]): void {
    if (bit !== null) this.#memory.writeBit(bit, null);
    this.#add(out, { ...place, kind: "measure", qubits: [qubit], bit });
  }

  #gate(statement: Of<"gate">, out: Operation[]): void {
    const place = placeOf(statement);
    const base = this.#parts.gates[statement.gate]!;
    const gate = this.#memory.attempt(modifiedGate(base, statement.modifiers, place.at));
    if (!gate)
      throw new SimulationError(
        `${this.#where(statement)}A measurement decides the exponent of ${statement.name}; such a gate is not transpiled.`,
      );
    const lists = statement.qubits.map(list => this.#known(list, statement));
    const count = Math.max(1, ...lists.map(({ length }) => length));
    const params = statement.params.map(param => this.#memory.value(param));
    for (let i = 0; i < count; i++) {
      const qubits = lists.map(list => list[list.length === 1 ? 0 : i]!);
      if (new Set(qubits).size < qubits.length || qubits.includes(undefined as never))
        throw new EvaluationError(`${statement.name} is applied to the same qubit twice.`, place.at);
      const known = params.every(value => value !== undefined)
        ? gateOperations(gate, params.map(Number), qubits, this.#spare(gate.numQubits, qubits), place)
        : computedOperations(gate, statement.params, qubits, place);
      if (!known)
        throw new SimulationError(
          `${this.#where(statement)}A measurement decides the parameters of ${statement.name}; that is supported for the gates of stdgates.inc without further controls.`,
        );
      this.#add(out, ...known);
    }
  }

  #measure(statement: Of<"measure">, out: Operation[]): void {
    const qubits = this.#known(statement.qubits, statement);
    const bits = statement.bits && this.#memory.indices(statement.bits);
    if (bits === undefined)
      throw new SimulationError(
        `${this.#where(statement)}A measurement decides which bit another one is written to; such a program is not transpiled.`,
      );
    qubits.forEach((qubit, i) => {
      this.#measured(qubit, bits ? bits[i]! : null, placeOf(statement), out);
    });
  }

  /** Returns the qubits that are meant. */
  #known(operands: OperandIndices, statement: Statement): readonly number[] {
    const qubits = isList(operands) ? operands : this.#memory.indices(operands);
    if (qubits) return qubits;
    throw new SimulationError(
      `${this.#where(statement)}A measurement decides which qubit is meant; a device has to know it before the run.`,
    );
  }

  #assign(
    out: Operation[],
    statement: Statement,
    slot: number,
    value: Value | readonly number[] | undefined,
  ): void {
    this.#memory.set(slot, value);
    this.#keep(out, statement);
  }

  #fill(statement: Of<"fill">, out: Operation[]): void {
    const slots = this.#memory.indices(statement.slots);
    const values = this.#memory.attempt(listEvaluator(statement.values));
    if (slots) for (const [i, slot] of slots.entries()) this.#memory.set(slot, values?.[i]);
    else this.#memory.become(new KnownMemory());
    this.#keep(out, statement);
  }

  #store(statement: Of<"store">, out: Operation[]): void {
    const bits = this.#memory.indices(statement.bits);
    const value = this.#memory.value(statement.value);
    if (bits) {
      const values = typeof value === "bigint" ? bitsOfWord(value, bits.length) : null;
      for (const [i, bit] of bits.entries()) this.#memory.writeBit(bit, values ? values[i]! : null);
    } else for (let bit = 0; bit < this.#parts.numBits; bit++) this.#memory.writeBit(bit, null);
    this.#keep(out, statement);
  }

  #subroutine(statement: Of<"subroutine">, out: Operation[]): Ending {
    if (statement.frame) this.#memory.set(statement.frame.stack, undefined);
    const outer = this.#kept;
    this.#kept = { breaks: 0, continues: 0, returns: 0 };
    const body: Operation[] = [];
    const ending = this.read(statement.body, body);
    const { returns } = this.#kept;
    this.#kept = outer;
    if (returns > 0) {
      this.#forget(statement.body);
      this.#keep(out, statement, [body]);
    } else this.#add(out, ...body);
    return ending === "end" ? "end" : "next";
  }

  /** Reads a list that may not be run; jumps in it are kept. */
  #branch(statements: readonly Statement[]): {
    readonly body: Operation[];
    readonly memory: KnownMemory | null;
  } {
    const outer = this.#memory;
    this.#memory = outer.copy();
    const body: Operation[] = [];
    const ending = this.read(statements, body);
    const memory = this.#memory;
    this.#memory = outer;
    if (ending === "next") return { body, memory };
    if (ending !== "end") this.#kept[`${ending}s`]++;
    this.#keep(body, { kind: ending }, [], this.#all);
    return { body, memory: null };
  }

  #merge(branches: readonly { readonly memory: KnownMemory | null }[]): void {
    const [first, ...others] = branches.flatMap(({ memory }) => memory ?? []);
    if (!first) return;
    this.#memory.become(first);
    for (const other of others) this.#memory.meet(other);
  }

  #if(statement: Of<"if">, out: Operation[]): Ending {
    const { condition, body, otherwise } = statement;
    const value = this.#memory.value(condition);
    if (value !== undefined) return this.read(value ? body : (otherwise ?? []), out);
    const branches = [this.#branch(body), this.#branch(otherwise ?? [])];
    this.#merge(branches);
    const kept: Statement = { ...statement, otherwise: otherwise ?? [] };
    this.#keep(
      out,
      kept,
      branches.map(branch => branch.body),
    );
    return "next";
  }

  #switch(statement: Of<"switch">, out: Operation[]): Ending {
    const value = this.#memory.value(statement.value);
    this.#memory.set(statement.slot, value);
    if (value !== undefined) {
      const chosen = statement.cases.find(
        ({ values }) => values === null || values.includes(value as bigint),
      );
      return this.read(chosen?.body ?? [], out);
    }
    const hasDefault = statement.cases.some(({ values }) => values === null);
    const branches = statement.cases.map(({ body }) => this.#branch(body));
    this.#merge(hasDefault ? branches : [...branches, { memory: this.#memory.copy() }]);
    this.#keep(
      out,
      statement,
      branches.map(branch => branch.body),
    );
    return "next";
  }

  #while(statement: Of<"while">, out: Operation[]): Ending {
    const rounds = this.#carriedOut(statement, out, inner => {
      for (;;) {
        this.read(statement.before, inner);
        const value = this.#memory.value(statement.condition);
        if (value === undefined) return "unknown";
        if (!value) return "next";
        const ending = this.#round(statement.body, inner);
        if (ending === "break") return "next";
        if (ending !== "next") return ending;
      }
    });
    if (rounds !== "unknown") return rounds;
    this.#forget([statement]);
    const before: Operation[] = [];
    this.read(statement.before, before);
    const outer = this.#kept;
    const { body } = this.#branch(statement.body);
    this.#kept = { ...outer, returns: this.#kept.returns };
    this.#forget([statement]);
    this.#keep(out, statement, [before, body]);
    return "next";
  }

  #for(statement: Of<"for">, out: Operation[]): Ending {
    const { slot, values, body } = statement;
    const { before, test, each, advance } = iterationOf(slot, values);
    const memory = () => this.#memory;
    const set = (settings: readonly { slot: number; value: Compute }[]) => {
      for (const { slot: to, value } of settings) memory().set(to, memory().attempt(value));
    };
    const rounds = this.#carriedOut(statement, out, inner => {
      set(before);
      for (;;) {
        const more = this.#memory.attempt(test);
        if (more === undefined) return "unknown";
        if (!more) return "next";
        set(each);
        const value = this.#memory.attempt(({ slots }) => slots[slot]!)!;
        this.#keep(inner, { kind: "assign", slot, value: constant(INT, value) });
        const ending = this.#round(body, inner);
        if (ending === "break") return "next";
        if (ending !== "next") return ending;
        set([advance]);
      }
    });
    if (rounds !== "unknown") return rounds;
    this.#forget([statement]);
    const outer = this.#kept;
    const branch = this.#branch(body);
    this.#kept = { ...outer, returns: this.#kept.returns };
    this.#forget([statement]);
    this.#keep(out, statement, [branch.body]);
    return "next";
  }

  /** Carries out a loop whose rounds are known. Where they turn out not to be, nothing has happened. */
  #carriedOut(
    statement: Statement,
    out: Operation[],
    run: (inner: Operation[]) => Ending | "unknown",
  ): Ending | "unknown" {
    const [saved, outer, count] = [this.#memory.copy(), this.#kept, this.#count];
    this.#kept = { breaks: 0, continues: 0, returns: 0 };
    const inner: Operation[] = [];
    const ending = run(inner);
    const kept = this.#kept;
    this.#kept = { ...outer, returns: outer.returns + kept.returns };
    if (ending === "unknown") {
      this.#memory.become(saved);
      this.#kept = outer;
      this.#count = count;
      return ending;
    }
    if (kept.breaks > 0) {
      this.#keep(inner, { kind: "break" }, [], this.#all);
      this.#forget([statement]);
      this.#keep(out, onceStatement("loop"), [[], inner]);
    } else this.#add(out, ...inner);
    return ending;
  }

  /** Reads one round of a loop that is carried out; where it may be cut short, it is a loop of one round itself. */
  #round(body: readonly Statement[], out: Operation[]): Ending {
    const { continues } = this.#kept;
    const inner: Operation[] = [];
    const ending = this.read(body, inner);
    if (this.#kept.continues === continues) {
      this.#add(out, ...inner);
      return ending === "continue" ? "next" : ending;
    }
    if (this.#kept.breaks > 0)
      throw new SimulationError(
        "A loop over known values is left by `break` and shortened by `continue`, both where a measurement says so; such a loop is not transpiled.",
      );
    const replaced = inner.map(breakForContinue);
    this.#keep(replaced, { kind: "break" }, [], this.#all);
    this.#kept.continues = continues;
    this.#forget(body);
    this.#keep(out, onceStatement("round"), [[], replaced]);
    return ending === "continue" ? "next" : ending;
  }

  /** Forgets what statements may set. */
  #forget(statements: readonly Statement[]): void {
    for (const statement of statements) {
      switch (statement.kind) {
        case "assign":
        case "resolve":
          this.#memory.set(statement.slot, undefined);
          break;
        case "switch":
          this.#memory.set(statement.slot, undefined);
          break;
        case "for":
          for (const slot of [0, 1, 2]) this.#memory.set(statement.slot + slot, undefined);
          break;
        case "fill":
          if (isList(statement.slots)) for (const slot of statement.slots) this.#memory.set(slot, undefined);
          else this.#memory.become(new KnownMemory());
          break;
        case "graph":
          for (const { edges } of statement.blocks)
            for (const { slot } of edges.flatMap(({ moves }) => moves)) this.#memory.set(slot, undefined);
          break;
        case "store":
        case "measure":
          this.#forgetBits(statement.bits);
          break;
        case "operations":
          this.#forgetMeasured(statement);
      }
      for (const body of bodiesOf(statement)) this.#forget(body);
    }
  }

  #forgetBits(bits: OperandIndices | null): void {
    if (bits === null) return;
    const all = isList(bits) ? bits : Array.from({ length: this.#parts.numBits }, (_, i) => i);
    for (const bit of all) this.#memory.writeBit(bit, null);
  }

  #forgetMeasured({ start, end }: Of<"operations">): void {
    const { kinds, operands, operandStarts } = this.#parts.operations;
    for (let i = start; i < end; i++) {
      const bit = operands[operandStarts[i]! + 1]!;
      if (kinds[i] === OPERATION.measure && bit !== NO_BIT) this.#memory.writeBit(bit, null);
    }
  }

  #where(statement: Statement): string {
    const place = locate(this.#parts, statement.range?.[0]);
    return place ? `${place}: ` : "";
  }
}

const placeOf = ({ range }: Statement): SourcePlace => (range ? { at: range[0], end: range[1] } : {});

const touchedBy = (bodies: readonly (readonly Operation[])[]): readonly number[] => [
  ...new Set(bodies.flatMap(body => body.flatMap(({ qubits }) => qubits))),
];

/** A loop that is left at the end of its first round. */
const onceStatement = (label: string): Statement => ({
  kind: "while",
  label,
  before: [],
  condition: constant(BOOL, true),
  body: [],
});

/** Replaces jumps to the next round by jumps out of the loop of one round, in branches but not in loops. */
function breakForContinue(operation: Operation): Operation {
  if (operation.kind !== "statement") return operation;
  const { statement, bodies } = operation;
  if (statement.kind === "continue") return { ...operation, statement: { kind: "break" } };
  if (statement.kind === "while" || statement.kind === "for") return operation;
  return { ...operation, bodies: bodies.map(body => body.map(breakForContinue)) };
}
