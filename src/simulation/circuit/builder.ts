import type {
  CircuitParts,
  ClassicalRegister,
  Instruction,
  Lifetime,
  Note,
  Outline,
  OutputVariable,
  Register,
} from "./circuit.ts";
import { Circuit } from "./circuit.ts";
import type { Gate } from "./gate.ts";
import { OperationsBuilder } from "./operations.ts";

type Range = { kind: "operations"; start: number; end: number };

/** Collects what a circuit is made of while a program is lowered. */
export class CircuitBuilder {
  readonly operations = new OperationsBuilder();
  readonly quantum: Register[] = [];
  readonly classical: ClassicalRegister[] = [];
  readonly outputs: OutputVariable[] = [];
  readonly notes: Note[] = [];
  readonly lifetimes: Lifetime[] = [];
  source: CircuitParts["source"] = null;
  numQubits = 0;
  numBits = 0;
  numSlots = 0;
  readonly #gates: Gate[] = [];
  readonly #gatePlaces = new Map<Gate, number>();
  #instructions: Instruction[] = [];
  #outline: Outline[] = [];
  #isSealed = true;
  /** Whether the next operation begins a range of the outline too. */
  #isOutlineSealed = true;

  /** How many operations and instructions there are. */
  get length(): number {
    return this.operations.length + this.#instructions.length;
  }

  /** Gives the place of a gate in the circuit's list. */
  gatePlace(gate: Gate): number {
    let place = this.#gatePlaces.get(gate);
    if (place === undefined) {
      place = this.#gates.push(gate) - 1;
      this.#gatePlaces.set(gate, place);
    }
    return place;
  }

  /** Begins an operation with known operands, which follow through {@link operations}. */
  operation(kind: number, gate = 0, offset?: number): void {
    const start = this.operations.length;
    this.operations.begin(kind, gate, offset);
    const end = start + 1;
    if (this.#isSealed) this.#instructions.push({ kind: "operations", start, end });
    else (this.#instructions.at(-1) as Range).end = end;
    if (this.#isSealed || this.#isOutlineSealed) this.#outline.push({ kind: "operations", start, end });
    else (this.#outline.at(-1) as Range).end = end;
    this.#isSealed = false;
    this.#isOutlineSealed = false;
  }

  /** Adds an instruction and gives it back, so that its target can be set later. */
  instruction<T extends Instruction>(instruction: T): T {
    this.#isSealed = true;
    this.#instructions.push(instruction);
    return instruction;
  }

  /** Gives the place of the next instruction, as a target of jumps. */
  here(): number {
    this.#isSealed = true;
    return this.#instructions.length;
  }

  /** Keeps that the slots and bits which `fill` takes are in use in the instructions that it adds, and nowhere else. */
  temporary(fill: () => void): void {
    const [slot, bit, instruction] = [this.numSlots, this.numBits, this.#instructions.length];
    fill();
    if (this.numSlots > slot || this.numBits > bit)
      this.lifetimes.push({
        slots: [slot, this.numSlots],
        bits: [bit, this.numBits],
        instructions: [instruction, this.#instructions.length],
      });
  }

  /** Adds what a reader sees of an instruction whose operands are computed, or of what is no instruction. */
  dynamic(node: Outline & { kind: "dynamic" | "annotation" }): void {
    this.#isOutlineSealed = true;
    this.#outline.push(node);
  }

  /** Puts all that is added meanwhile into a block of the outline. */
  block(label: string, bits: readonly number[], fill: () => void): void {
    const outer = this.#outline;
    const body: Outline[] = [];
    this.#outline = body;
    this.#isOutlineSealed = true;
    try {
      fill();
    } finally {
      this.#outline = outer;
      this.#isOutlineSealed = true;
    }
    outer.push({ kind: "block", label, bits, body });
  }

  /** Gives the finished circuit. */
  finish(): Circuit {
    this.instruction({ kind: "end" });
    return new Circuit({
      numQubits: this.numQubits,
      numBits: this.numBits,
      numSlots: this.numSlots,
      quantum: this.quantum,
      classical: this.classical,
      gates: this.#gates,
      operations: this.operations.finish(),
      instructions: this.#instructions,
      lifetimes: this.lifetimes,
      outline: this.#outline,
      outputs: this.outputs,
      source: this.source,
      notes: this.notes,
    });
  }
}
