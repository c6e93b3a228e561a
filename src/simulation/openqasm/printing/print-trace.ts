import type { CircuitParts } from "../../circuit/circuit.ts";
import { type Gate, sizeOf } from "../../circuit/gate.ts";
import { visitPrimitives } from "../../circuit/primitives.ts";
import { NATIVE } from "../../circuit/standard.ts";
import { BOX_BEGIN, BOX_END, DELAY } from "../../circuit/timing-markers.ts";
import { SimulationError } from "../../errors.ts";
import type { TraceBlock, TraceStep } from "../../interpreter/trace-block.ts";
import { nestingOf, type TracePart } from "../../interpreter/trace-nesting.ts";
import { type SingleStep, visitSteps } from "../../interpreter/trace-steps.ts";
import { FreeNames } from "./circuit-names.ts";
import { NATIVE_DEFINITIONS } from "./native-definitions.ts";
import { listOf, primitiveLines } from "./primitive-lines.ts";

/** Maximum number of lines that are written. */
const MAX_LINES = 1_000_000;

/**
 * Writes a traced program as OpenQASM 3. Choices by measured bits become conditions, or where they lead back a loop
 * that goes from block to block. Timing markers become delays, and in a program without choices boxes.
 */
export function printTrace(parts: CircuitParts, blocks: readonly TraceBlock[]): string {
  return new TracePrinter(parts, blocks).text();
}

class TracePrinter {
  readonly #parts: CircuitParts;
  readonly #blocks: readonly TraceBlock[];
  readonly #qubits: string[] = [];
  readonly #bits = new Map<number, string>();
  readonly #declarations = ['include "stdgates.inc";'];
  readonly #lines: string[] = [];
  /** Gates that are no part of the library. */
  readonly #defined = new Set<string>();
  /** Bits that are read and belong to no register, and what they are called. */
  readonly #own: readonly number[];
  readonly #ownName: string;
  readonly #block: string;
  #indent = "";
  #openBoxes = 0;

  constructor(parts: CircuitParts, blocks: readonly TraceBlock[]) {
    this.#parts = parts;
    this.#blocks = blocks;
    const { quantum, classical } = parts;
    const free = new FreeNames();
    const names = [...[...quantum, ...classical].map(({ name }) => name), "m", "block"].map(name =>
      free.take(name),
    );
    quantum.forEach(({ name, size, offset }, i) => {
      const own = names[i]!;
      if (name !== "$") this.#declarations.push(`qubit[${size}] ${own};`);
      for (let k = 0; k < size; k++) this.#qubits[offset + k] = name === "$" ? `$${k}` : `${own}[${k}]`;
    });
    classical.forEach(({ offset, width }, i) => {
      const own = names[quantum.length + i]!;
      this.#declarations.push(`bit[${width}] ${own};`);
      for (let k = 0; k < width; k++) this.#bits.set(offset + k, `${own}[${k}]`);
    });
    const inner = new Set(
      blocks.flatMap(({ next }) => (next.kind === "fork" && !this.#bits.has(next.bit) ? [next.bit] : [])),
    );
    this.#own = [...inner];
    this.#ownName = names.at(-2)!;
    for (const [i, bit] of this.#own.entries()) this.#bits.set(bit, `${this.#ownName}[${i}]`);
    this.#block = names.at(-1)!;
  }

  text(): string {
    const parts = nestingOf(this.#blocks);
    const write = () => {
      if (parts) this.#nested(parts);
      else this.#dispatch();
      while (this.#openBoxes > 0) this.#endBox();
    };
    if (this.#own.length === 0) write();
    else
      this.#inner("{", () => {
        this.#line(`bit[${this.#own.length}] ${this.#ownName};`);
        write();
      });
    const [include, ...declarations] = this.#declarations;
    const definitions = [...this.#defined].map(name => NATIVE_DEFINITIONS[name]);
    return `${[include, ...definitions, ...declarations, ...this.#lines].join("\n")}\n`;
  }

  #nested(parts: readonly TracePart[]): void {
    for (const part of parts) {
      if (part.kind === "steps") this.#steps(part.steps);
      else {
        const bit = this.#bits.get(part.bit);
        const branch = (head: string, inner: readonly TracePart[]) =>
          this.#inner(head, () => this.#nested(inner));
        if (part.one.length > 0) branch(`if (${bit}) {`, part.one);
        if (part.zero.length > 0) branch(part.one.length > 0 ? "else {" : `if (!${bit}) {`, part.zero);
      }
    }
  }

  #dispatch(): void {
    const goTo = (to: number) => this.#line(`${this.#block} = ${to};`);
    this.#line(`int ${this.#block} = 0;`);
    this.#inner(`while (${this.#block} >= 0) {`, () =>
      this.#inner(`switch (${this.#block}) {`, () => {
        this.#blocks.forEach(({ steps, next }, i) => {
          this.#inner(`case ${i} {`, () => {
            this.#steps(steps);
            if (next.kind !== "fork") goTo(next.kind === "jump" ? next.to : -1);
            else {
              this.#inner(`if (${this.#bits.get(next.bit)}) {`, () => goTo(next.one));
              this.#inner("else {", () => goTo(next.zero));
            }
          });
        });
      }),
    );
  }

  #inner(head: string, fill: () => void): void {
    this.#begin(head);
    fill();
    this.#end();
  }

  #begin(head: string): void {
    this.#line(head);
    this.#indent += "  ";
  }

  #end(): void {
    this.#indent = this.#indent.slice(2);
    this.#line("}");
  }

  #beginBox(nanoseconds: number): void {
    this.#begin(nanoseconds > 0 ? `box[${nanoseconds}ns] {` : "box {");
    this.#openBoxes++;
  }

  #endBox(): void {
    this.#openBoxes--;
    this.#end();
  }

  #line(text: string): void {
    this.#checkRoom(1);
    this.#lines.push(this.#indent + text);
  }

  #checkRoom(lines: number): void {
    if (this.#lines.length + lines > MAX_LINES)
      throw new SimulationError(
        `The program comes to more than ${MAX_LINES.toLocaleString("en-US")} lines, too many to write out.`,
      );
  }

  #steps(steps: readonly TraceStep[]): void {
    for (const step of steps) visitSteps(step, this.#parts, single => this.#step(single));
  }

  #step(step: SingleStep): void {
    switch (step.kind) {
      case "gate":
        this.#gate(step.gate, step.params, step.qubits);
        return;
      case "measure":
        this.#measure(step.qubit, step.bit);
        return;
      case "reset":
        this.#line(`reset ${this.#qubits[step.qubit]};`);
        return;
      case "barrier":
        this.#line(`barrier ${step.qubits.map(qubit => this.#qubits[qubit]).join(", ")};`);
        return;
      case "set":
        if (this.#bits.has(step.bit)) this.#line(`${this.#bits.get(step.bit)} = ${step.value};`);
    }
  }

  #measure(qubit: number, bit: number | null): void {
    const target = bit === null ? undefined : this.#bits.get(bit);
    this.#line(`${target ? `${target} = ` : ""}measure ${this.#qubits[qubit]};`);
  }

  #gate(gate: Gate, params: readonly number[], qubits: readonly number[]): void {
    if (gate === DELAY) this.#line(`delay[${params[0]}ns] ${this.#qubits[qubits[0]!]};`);
    else if (gate === BOX_BEGIN) this.#beginBox(params[0]!);
    else if (gate === BOX_END) this.#endBox();
    else if (NATIVE.includes(gate)) {
      this.#defined.add(gate.name);
      this.#line(`${gate.name}${listOf(params)} ${qubits.map(qubit => this.#qubits[qubit]).join(", ")};`);
    } else {
      this.#checkRoom(sizeOf(gate));
      visitPrimitives(gate, params, qubits, primitive => {
        for (const line of primitiveLines(primitive, this.#qubits)) this.#line(line);
      });
    }
  }
}
