import type { CircuitParts } from "../circuit/circuit.ts";
import { isList, type OperandIndices } from "../circuit/expression.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import { bodiesOf, type MemoryRange, type Statement, type StatementList } from "../circuit/statement.ts";

/** Slots and bits that are left to the run: their values are not followed before it. */
export interface DynamicMemory {
  readonly slots: ReadonlySet<number>;
  readonly bits: ReadonlySet<number>;
}

/** Memory of which each value is followed. */
export const ALL_FOLLOWED: DynamicMemory = { slots: new Set(), bits: new Set() };

/**
 * Divides the memory of a program by what has to be known before the run (Jones, Gomard and Sestoft, Partial Evaluation,
 * chapter 5). Left to the run are slots that are computed of measured bits, and slots and bits that are set where such a
 * value decides, and used after that.
 */
export const dynamicMemory = (parts: CircuitParts): DynamicMemory => new MeasurementFlow(parts, true);

/**
 * Whether measurements are the last that happens to qubits, and nothing that is done depends on an outcome. Where
 * operands are computed, all that they might be counts; loops are taken to run again.
 */
export const measuresLast = (parts: CircuitParts): boolean =>
  !isReused(parts, parts.body, new Set()) && !new MeasurementFlow(parts, false).steers;

/** Whether something acts on a measured qubit; adds what is measured. */
function isReused(parts: CircuitParts, statements: StatementList, measured: Set<number>): boolean {
  const { kinds, operandStarts, operands } = parts.operations;
  const touches = (indices: OperandIndices) =>
    isList(indices) ? indices.some(qubit => measured.has(qubit)) : measured.size > 0;
  return statements.some(statement => {
    switch (statement.kind) {
      case "operations":
        for (let i = statement.start; i < statement.end; i++) {
          const first = operandStarts[i]!;
          const isMeasurement = kinds[i] === OPERATION.measure;
          if (kinds[i] === OPERATION.barrier || (measured.size === 0 && !isMeasurement)) continue;
          const end = isMeasurement ? first + 1 : operandStarts[i + 1]!;
          for (let at = first; at < end; at++) if (measured.has(operands[at]!)) return true;
          if (isMeasurement) measured.add(operands[first]!);
        }
        return false;
      case "gate":
        return statement.qubits.some(touches);
      case "reset":
        return touches(statement.qubits);
      case "measure": {
        const { qubits } = statement;
        if (touches(qubits)) return true;
        for (const qubit of isList(qubits) ? qubits : Array(parts.numQubits).keys()) measured.add(qubit);
        return false;
      }
      default: {
        const { size } = measured;
        const isReusedWithin = () => bodiesOf(statement).some(body => isReused(parts, body, measured));
        const isRepeated =
          ["for", "while", "graph"].includes(statement.kind) ||
          (statement.kind === "subroutine" && statement.frame !== null);
        // A second round sees what the first one measured; without that it would see the same again.
        return isReusedWithin() || (isRepeated && measured.size > size && isReusedWithin());
      }
    }
  });
}

/** A statement that a jump may leave early, and the number of choices of the run around what is in it. */
interface Leavable {
  readonly statement: Statement;
  readonly choices: number;
}

/** Surroundings of statements. */
interface Around {
  /** Number of choices around them that are made while the program runs. */
  readonly choices: number;
  /** Memory that is in use only within the innermost of these choices. */
  readonly locals: readonly MemoryRange[];
  readonly loop?: Leavable;
  readonly subroutine?: Leavable;
}

/** The memory that outcomes get into, wherever in the program that is, by what is computed or by what they decide. */
class MeasurementFlow implements DynamicMemory {
  readonly slots = new Set<number>();
  readonly bits = new Set<number>();
  /** Whether anything but classical memory depends on an outcome. */
  steers = false;
  readonly #parts: CircuitParts;
  /** Whether slots that are set together are left to the run together. */
  readonly #isGrouped: boolean;
  /** Bits that a measurement, or a value that depends on one, is written into. */
  readonly #measured = new Set<number>();
  /** Loops and subroutines that may be left early, as a choice of the run decides. */
  readonly #early = new Set<Statement>();

  constructor(parts: CircuitParts, isGrouped: boolean) {
    this.#parts = parts;
    this.#isGrouped = isGrouped;
    const sets = [this.slots, this.bits, this.#measured, this.#early];
    const size = () => sets.reduce((sum, set) => sum + set.size, 0);
    for (let before = -1; before < size(); ) {
      before = size();
      this.#list(parts.body, { choices: 0, locals: [] });
    }
  }

  #list(statements: StatementList, around: Around): void {
    for (const statement of statements) this.#statement(statement, around);
  }

  #statement(statement: Statement, around: Around): void {
    const { choices, locals } = around;
    switch (statement.kind) {
      case "operations": {
        const { kinds, operands, operandStarts } = this.#parts.operations;
        for (let i = statement.start; i < statement.end; i++) {
          const bit = kinds[i] === OPERATION.measure ? operands[operandStarts[i]! + 1]! : NO_BIT;
          if (bit !== NO_BIT) this.#write([bit], true, around);
        }
        return;
      }
      case "measure":
        this.#steeredBy(statement);
        this.#write(statement.bits ?? [], true, around);
        return;
      case "store":
        this.#write(statement.bits, this.#isDynamic([statement.value, statement.bits]), around);
        return;
      case "assign":
        this.#set([statement.slot], this.#isDynamic(statement.value), around);
        return;
      case "resolve":
        this.#set([statement.slot], this.#isDynamic(statement.indices), around);
        return;
      case "fill":
        this.#set(statement.slots, this.#isDynamic([statement.slots, statement.values]), around);
        return;
      case "scope":
        this.#list(statement.body, { ...around, locals: [...locals, statement.memory] });
        return;
      case "graph":
        for (const { body, edges } of statement.blocks) {
          this.#list(body, around);
          for (const { condition, moves } of edges) {
            this.#steeredBy(condition);
            for (const { slot, value } of moves) this.#set([slot], this.#isDynamic(value), around);
          }
        }
        return;
      case "break":
      case "continue":
      case "return": {
        const left = statement.kind === "return" ? [around.loop, around.subroutine] : [around.loop];
        for (const one of left) if (one && choices > one.choices) this.#early.add(one.statement);
        return;
      }
      case "if":
      case "switch":
      case "while":
      case "for":
      case "subroutine":
        this.#choice(statement, around);
        return;
      case "box":
        this.#steeredBy(statement.duration);
        this.#list(statement.body, around);
        return;
      case "recurse":
        this.#list(statement.set, around);
        return;
      default:
        this.#steeredBy(statement);
    }
  }

  /** Follows a statement whose bodies run by choice, or may be left by one. */
  #choice(
    statement: Statement & { kind: "if" | "switch" | "while" | "for" | "subroutine" },
    around: Around,
  ): void {
    const { choices, locals } = around;
    const { condition, value, values, slot } = statement as Partial<Record<string, unknown>>;
    const isSteered = this.#steeredBy(condition ?? value ?? values);
    const isChosen = isSteered || this.#early.has(statement);
    const inner = { choices: choices + Number(isChosen), locals: isChosen ? [] : locals };
    const leavable = { statement, choices: inner.choices };
    const bodies = bodiesOf(statement);
    const at = slot as number;
    if (statement.kind === "switch") this.#set([at], isSteered, around);
    if (statement.kind === "for") {
      if (isSteered) this.#set([at, at + 1, at + 2], true, around);
      inner.locals = [...inner.locals, { slots: [at, at + 3], bits: [0, 0] }];
    }
    for (const body of bodies)
      if (statement.kind === "subroutine") this.#list(body, { ...inner, subroutine: leavable });
      else {
        const isLoop = statement.kind === "while" || statement.kind === "for";
        this.#list(body, { ...around, ...inner, ...(isLoop && { loop: leavable }) });
      }
  }

  /** Whether something that decides what is done to qubits, or what runs, depends on an outcome. */
  #steeredBy(node: unknown): boolean {
    const isSteered = this.#isDynamic(node);
    this.steers ||= isSteered;
    return isSteered;
  }

  #write(indices: OperandIndices, isDynamic: boolean, { choices, locals }: Around): void {
    for (const bit of this.#possible(indices, "numBits")) {
      const isChosen = choices > 0 && !locals.some(({ bits }) => bit >= bits[0] && bit < bits[1]);
      if (isDynamic || isChosen) this.#measured.add(bit);
      if (isChosen) this.bits.add(bit);
    }
  }

  /** Notes that slots are set at once. */
  #set(indices: OperandIndices, isDynamic: boolean, { choices, locals }: Around): void {
    const isChosen = (slot: number) =>
      choices > 0 && !locals.some(range => slot >= range.slots[0] && slot < range.slots[1]);
    const slots = this.#possible(indices, "numSlots");
    if (isDynamic || slots.some(slot => (this.#isGrouped && this.slots.has(slot)) || isChosen(slot)))
      for (const slot of slots) this.slots.add(slot);
  }

  /** Whether something in plain data reads what is left to the run. */
  #isDynamic(node: unknown): boolean {
    if (typeof node !== "object" || node === null || ArrayBuffer.isView(node)) return false;
    if (Array.isArray(node)) return typeof node[0] === "object" && node.some(inner => this.#isDynamic(inner));
    const { kind, slot, slots, bits } = node as {
      kind?: string;
      slot?: number;
      slots?: OperandIndices;
      bits?: OperandIndices;
    };
    if ((kind === "slot" || kind === "claim") && this.slots.has(slot!)) return true;
    if (kind === "bits" && bits && this.#possible(bits, "numBits").some(bit => this.#measured.has(bit)))
      return true;
    if (slots && this.#possible(slots, "numSlots").some(one => this.slots.has(one))) return true;
    return Object.values(node).some(inner => this.#isDynamic(inner));
  }

  /** Lists the slots or bits that operands may stand for. */
  #possible(indices: OperandIndices, of: "numSlots" | "numBits"): readonly number[] {
    if (isList(indices)) return indices;
    switch (indices.kind) {
      case "members":
      case "elements":
        return this.#possible(indices.base, of);
      case "joined":
        return indices.parts.flatMap(part => this.#possible(part, of));
      case "mapped":
        return [...indices.table.values()];
      default:
        return Array.from({ length: this.#parts[of] }, (_, i) => i);
    }
  }
}
