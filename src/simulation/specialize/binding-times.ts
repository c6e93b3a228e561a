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
export const dynamicMemory = (parts: CircuitParts): DynamicMemory => new Division(parts).find();

/** A statement that a jump may leave early, and the number of undecided choices around it. */
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
  readonly loop: Leavable | null;
  readonly subroutine: Leavable | null;
}

class Division implements DynamicMemory {
  readonly slots = new Set<number>();
  readonly bits = new Set<number>();
  readonly #parts: CircuitParts;
  /** Bits that a measurement, or a value that depends on one, is written into. */
  readonly #measured = new Set<number>();
  /** Loops and subroutines that may be left early, as a choice of the run decides. */
  readonly #early = new Set<Statement>();

  constructor(parts: CircuitParts) {
    this.#parts = parts;
  }

  find(): DynamicMemory {
    const sets = [this.slots, this.bits, this.#measured, this.#early];
    const size = () => sets.reduce((sum, set) => sum + set.size, 0);
    for (let before = -1; before < size(); ) {
      before = size();
      this.#list(this.#parts.body, { choices: 0, locals: [], loop: null, subroutine: null });
    }
    return this;
  }

  #list(statements: StatementList, around: Around): void {
    for (const statement of statements) this.#statement(statement, around);
  }

  #statement(statement: Statement, around: Around): void {
    const within = (isChosen: boolean, changes: Partial<Around> = {}): Around => ({
      ...around,
      ...(isChosen ? { choices: around.choices + 1, locals: [] } : {}),
      ...changes,
    });
    switch (statement.kind) {
      case "operations":
        this.#operations(statement, around);
        return;
      case "measure":
        for (const bit of this.#possible(statement.bits ?? [], "bits")) this.#write(bit, true, around);
        return;
      case "store": {
        const isDynamic = this.#isDynamic(statement.value);
        for (const bit of this.#possible(statement.bits, "bits")) this.#write(bit, isDynamic, around);
        return;
      }
      case "assign":
        this.#set([statement.slot], this.#isDynamic(statement.value), around);
        return;
      case "resolve":
        this.#set([statement.slot], this.#isDynamic(statement.indices), around);
        return;
      case "fill": {
        const { slots, values } = statement;
        const isDynamic = this.#isDynamic(values) || this.#isDynamic(slots);
        this.#set(this.#possible(slots, "slots"), isDynamic, around);
        return;
      }
      case "if":
      case "switch": {
        const isChosen = this.#isDynamic(statement.kind === "if" ? statement.condition : statement.value);
        if (statement.kind === "switch") this.#set([statement.slot], isChosen, around);
        for (const body of bodiesOf(statement)) this.#list(body, within(isChosen));
        return;
      }
      case "while":
      case "for": {
        const isDynamic = this.#isDynamic(
          statement.kind === "while" ? statement.condition : statement.values,
        );
        const inner = within(isDynamic || this.#early.has(statement));
        const loop = { statement, choices: inner.choices };
        let { locals } = inner;
        if (statement.kind === "for") {
          const { slot } = statement;
          if (isDynamic) this.#set([slot, slot + 1, slot + 2], true, around);
          locals = [...locals, { slots: [slot, slot + 3], bits: [0, 0] }];
        }
        for (const body of bodiesOf(statement)) this.#list(body, { ...inner, locals, loop });
        return;
      }
      case "subroutine": {
        const inner = within(this.#early.has(statement));
        const subroutine = { statement, choices: inner.choices };
        this.#list(statement.body, { ...inner, loop: null, subroutine });
        return;
      }
      case "scope":
        this.#list(statement.body, { ...around, locals: [...around.locals, statement.memory] });
        return;
      case "graph":
        for (const { body, edges } of statement.blocks) {
          this.#list(body, around);
          for (const { slot, value } of edges.flatMap(({ moves }) => moves))
            this.#set([slot], this.#isDynamic(value), around);
        }
        return;
      case "break":
      case "continue":
      case "return": {
        const left = statement.kind === "return" ? [around.loop, around.subroutine] : [around.loop];
        for (const one of left) if (one && around.choices > one.choices) this.#early.add(one.statement);
        return;
      }
      default:
        for (const body of bodiesOf(statement)) this.#list(body, around);
    }
  }

  #operations({ start, end }: Statement & { kind: "operations" }, around: Around): void {
    const { kinds, operands, operandStarts } = this.#parts.operations;
    for (let i = start; i < end; i++) {
      const bit = kinds[i] === OPERATION.measure ? operands[operandStarts[i]! + 1]! : NO_BIT;
      if (bit !== NO_BIT) this.#write(bit, true, around);
    }
  }

  #write(bit: number, isDynamic: boolean, { choices, locals }: Around): void {
    const isChosen = choices > 0 && !locals.some(({ bits }) => bit >= bits[0] && bit < bits[1]);
    if (isDynamic || isChosen) this.#measured.add(bit);
    if (isChosen) this.bits.add(bit);
  }

  /** Notes that slots are set together. */
  #set(slots: readonly number[], isDynamic: boolean, { choices, locals }: Around): void {
    const isChosen = (slot: number) =>
      choices > 0 && !locals.some(range => slot >= range.slots[0] && slot < range.slots[1]);
    if (isDynamic || slots.some(slot => this.slots.has(slot) || isChosen(slot)))
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
    if (kind === "bits" && this.#possible(bits!, "bits").some(bit => this.#measured.has(bit))) return true;
    if (slots && this.#possible(slots, "slots").some(one => this.slots.has(one))) return true;
    return Object.values(node).some(inner => this.#isDynamic(inner));
  }

  /** Lists the slots or bits that operands may stand for. */
  #possible(indices: OperandIndices, of: "slots" | "bits"): readonly number[] {
    if (isList(indices)) return indices;
    switch (indices.kind) {
      case "members":
      case "elements":
        return this.#possible(indices.base, of);
      case "joined":
        return indices.parts.flatMap(part => this.#possible(part, of));
      case "mapped":
        return [...indices.table.values()];
      default: {
        const { numSlots, numBits } = this.#parts;
        return Array.from({ length: of === "slots" ? numSlots : numBits }, (_, i) => i);
      }
    }
  }
}
