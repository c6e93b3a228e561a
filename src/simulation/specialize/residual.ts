import { CircuitBuilder } from "../circuit/builder.ts";
import type { Circuit, CircuitParts } from "../circuit/circuit.ts";
import { constant, type Expression, type ValueList } from "../circuit/expression.ts";
import { bitName, formatExpression } from "../circuit/format-expression.ts";
import { type Gate, sizeOf } from "../circuit/gate.ts";
import type { Value } from "../circuit/memory.ts";
import { twoQubitGateCount } from "../circuit/metrics.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import { visitPrimitives } from "../circuit/primitives.ts";
import { NATIVE } from "../circuit/standard.ts";
import {
  bodiesOf,
  everyStatement,
  type GraphEdge,
  type SourceRange,
  type Statement,
  type StatementList,
  withBodies,
} from "../circuit/statement.ts";
import { structuredGraph } from "../circuit/structure-graph.ts";
import { BOX_BEGIN, BOX_END, DELAY } from "../circuit/timing-markers.ts";
import { BOOL, DURATION, INT } from "../circuit/values/types.ts";
import { SimulationError } from "../errors.ts";
import { edgesOf, leadsBack, type SingleStep, type TraceBlock, visitSteps } from "./blocks.ts";
import type { DynamicMemory } from "./measurement-flow.ts";
import { traceOf } from "./trace.ts";

/** Maximum number of operations of a residual program. */
const MAX_OPERATIONS = 1_000_000;

interface ResidualOptions {
  /** Whether gates stay whole, rather than in steps that a simulator applies. Default: false. */
  readonly keepsGates?: boolean;
  /** Memory that is left to the run; other variables that are results are set at the end. Default: only bits are left. */
  readonly dynamic?: DynamicMemory;
}

/**
 * Returns the residual program of a trace (Jones, Gomard and Sestoft, Partial Evaluation, chapter 4): a circuit in which
 * only choices by measured bits are left. They are branches and loops within each other, or where those would be entered
 * or left in several places a loop that goes from block to block. Timing markers become delays and boxes; a box ends with
 * its block. Throws a {@link SimulationError} where it comes to too many operations.
 */
export function residualCircuit(
  parts: CircuitParts,
  blocks: readonly TraceBlock[],
  options: ResidualOptions = {},
): Circuit {
  return new ResidualWriter(parts, blocks, options).circuit();
}

class ResidualWriter {
  readonly #parts: CircuitParts;
  readonly #blocks: readonly TraceBlock[];
  readonly #options: ResidualOptions;
  readonly #builder: CircuitBuilder;
  /** The bits that are kept: those of registers, and others that choices read. */
  readonly #bits: Set<number>;
  /** Durations of the boxes around the current step, and the statements before each. */
  readonly #boxes: { readonly duration: number; readonly before: readonly Statement[] }[] = [];
  /** The delay that was written last, where nothing follows it yet. */
  #delay: { readonly duration: number; readonly qubits: number[] } | null = null;

  constructor(parts: CircuitParts, blocks: readonly TraceBlock[], options: ResidualOptions) {
    this.#parts = parts;
    this.#blocks = blocks;
    this.#options = options;
    const memory = options.dynamic ? {} : { outputs: [], numSlots: 0 };
    this.#builder = CircuitBuilder.like({ ...parts, ...memory });
    const all = Array.from({ length: parts.numBits }, (_, bit) => bit);
    const read = blocks.flatMap(({ next }) => (next.kind === "fork" ? [next.bit] : []));
    this.#bits = new Set(options.dynamic ? all : read);
    for (const { offset, width } of parts.classical)
      for (let bit = offset; bit < offset + width; bit++) this.#bits.add(bit);
  }

  circuit(): Circuit {
    const { classical } = this.#parts;
    const blocks = this.#blocks.map(block => ({
      body: this.#builder.collect(() => this.#block(block)),
      edges: edgesOf(block),
      locals: [],
    }));
    const nested = structuredGraph(blocks, classical, true);
    if (nested) for (const statement of withConditions(nested, classical)) this.#builder.add(statement);
    else this.#dispatch(blocks);
    return this.#builder.finish();
  }

  /** Writes a loop in which a variable holds the number of the block that runs next, or -1 at the end. */
  #dispatch(blocks: readonly { readonly body: Statement[]; readonly edges: readonly GraphEdge[] }[]): void {
    const slot = this.#builder.numSlots;
    this.#builder.numSlots += 2;
    const goTo = ({ to }: GraphEdge): Statement => ({ kind: "assign", slot, value: integer(to) });
    const current: Expression = { kind: "slot", type: INT, slot };
    const cases = blocks.map(({ body, edges: [first, second] }, i) => {
      const condition = first!.condition;
      const leave: Statement = condition
        ? { kind: "if", label: "if", condition, body: [goTo(first!)], otherwise: [goTo(second!)] }
        : goTo(first!);
      return { values: [BigInt(i)], label: `case ${i}`, body: [...body, leave] };
    });
    const condition: Expression = {
      ...{ kind: "binary", operator: ">=", type: BOOL, left: current, right: integer(0) },
    };
    const choice: Statement = { kind: "switch", slot: slot + 1, value: current, cases };
    this.#builder.add({ kind: "assign", slot, value: integer(0) });
    this.#builder.add({ kind: "while", label: "while", before: [], condition, body: [choice] });
  }

  #block({ steps, next }: TraceBlock): void {
    for (const step of steps) visitSteps(step, this.#parts, single => this.#step(single));
    while (this.#boxes.length > 0) this.#endBox();
    this.#delay = null;
    if (next.kind === "end" && this.#options.dynamic) this.#results(next.slots);
  }

  /** Sets the variables that are results. */
  #results(values: readonly Value[]): void {
    for (const { name, slots: kept } of this.#parts.outputs) {
      const isSet = (slot: number) => values[slot] !== 0n && !this.#options.dynamic!.slots.has(slot);
      if (!kept?.slots.some(isSet)) continue;
      const all = kept.slots.map(slot => constant(kept.type, values[slot]!));
      const [slot, value] = [kept.slots[0]!, all[0]!];
      const label = `${name} = ${all.length > 1 || typeof value.value === "object" ? "…" : value.value}`;
      if (all.length === 1) this.#builder.add({ kind: "assign", label, slot, value });
      else {
        const list: ValueList = { kind: "values", values: all };
        this.#builder.add({ kind: "fill", label, slots: kept.slots, values: list });
      }
    }
  }

  #step(step: SingleStep): void {
    if (step.kind !== "gate" || step.gate !== DELAY) this.#delay = null;
    switch (step.kind) {
      case "gate":
        this.#gate(step.gate, step.params, step.qubits, step.range);
        return;
      case "measure": {
        const bit = step.bit !== null && this.#bits.has(step.bit) ? step.bit : NO_BIT;
        this.#operation(OPERATION.measure, [step.qubit, bit], step.range);
        return;
      }
      case "reset":
        this.#operation(OPERATION.reset, [step.qubit], step.range);
        return;
      case "barrier":
        this.#operation(OPERATION.barrier, step.qubits, step.range);
        return;
      case "dynamic":
        this.#dynamic(step);
        return;
      case "set": {
        if (!this.#bits.has(step.bit)) return;
        const name = bitName(step.bit, this.#parts.classical);
        const label = name ? { label: `${name} = ${step.value}` } : {};
        this.#builder.add({ kind: "store", ...label, bits: [step.bit], value: integer(step.value) });
      }
    }
  }

  #gate(gate: Gate, params: readonly number[], qubits: readonly number[], range: SourceRange): void {
    if (gate === DELAY) this.#wait(params[0]!, qubits[0]!);
    else if (gate === BOX_BEGIN) this.#boxes.push({ duration: params[0]!, before: this.#builder.take() });
    else if (gate === BOX_END) this.#endBox();
    else if (this.#options.keepsGates || NATIVE.includes(gate)) this.#call(gate, params, qubits, range);
    else {
      this.#checkRoom(sizeOf(gate));
      visitPrimitives(gate, params, qubits, one => this.#call(one.gate, one.params, one.qubits, range));
    }
  }

  #dynamic({ statement, gate }: SingleStep & { kind: "dynamic" }): void {
    this.#checkRoom(1);
    if (statement.kind !== "gate") this.#builder.add(statement);
    else if (gate === DELAY) {
      const { params, qubits } = statement;
      this.#builder.add({ kind: "delay", label: "delay …", duration: params[0]!, at: 0, qubits });
    } else this.#builder.add({ ...statement, gate: this.#builder.gateIndex(gate!) });
  }

  #wait(nanoseconds: number, qubit: number): void {
    if (this.#delay?.duration === nanoseconds && !this.#delay.qubits.includes(qubit)) {
      this.#delay.qubits.push(qubit);
      return;
    }
    this.#delay = { duration: nanoseconds, qubits: [qubit] };
    const [label, duration] = [`delay ${nanoseconds}ns`, constant(DURATION, nanoseconds)];
    this.#builder.add({ kind: "delay", label, duration, at: 0, qubits: [this.#delay.qubits] });
  }

  #endBox(): void {
    const box = this.#boxes.pop();
    if (!box) return;
    const body = this.#builder.take();
    for (const statement of box.before) this.#builder.add(statement);
    const length = box.duration > 0 ? constant(DURATION, box.duration) : null;
    this.#builder.add({ kind: "box", label: "box", duration: length, body });
  }

  #call(gate: Gate, params: readonly number[], qubits: readonly number[], range: SourceRange): void {
    this.#operation(OPERATION.gate, qubits, range, this.#builder.gateIndex(gate));
    for (const param of params) this.#builder.operations.param(param);
  }

  #operation(kind: number, operands: readonly number[], range: SourceRange, gate = 0): void {
    this.#checkRoom(1);
    this.#builder.operation(kind, gate, ...range);
    for (const operand of operands) this.#builder.operations.operand(operand);
  }

  #checkRoom(operations: number): void {
    if (this.#builder.length + operations > MAX_OPERATIONS)
      throw new SimulationError(
        `The program comes to more than ${MAX_OPERATIONS.toLocaleString("en-US")} operations, too many to write out.`,
      );
  }
}

/** Returns statements in which a loop that begins with the choice to leave it has that as its condition. */
function withConditions(statements: StatementList, classical: CircuitParts["classical"]): Statement[] {
  return statements.map(statement => {
    const bodies = bodiesOf(statement).map(body => withConditions(body, classical));
    const inner = withBodies(statement, bodies);
    if (inner.kind !== "while") return inner;
    const [choice] = inner.body;
    const isInverted = choice?.kind === "if" && leaves(choice.body);
    if (inner.body.length > 1 || choice?.kind !== "if" || !choice.otherwise)
      return { ...inner, body: withoutLastJump(inner.body) };
    if (!isInverted && !leaves(choice.otherwise)) return { ...inner, body: withoutLastJump(inner.body) };
    const condition = isInverted ? not(choice.condition) : choice.condition;
    const body = isInverted ? choice.otherwise : choice.body;
    const label = `while ${formatExpression(condition, classical)}`;
    return { ...inner, label, condition, body: withoutLastJump(body) };
  });
}

/** Returns the body of a loop without a jump to the next round where that follows anyway. */
function withoutLastJump(body: StatementList): StatementList {
  const last = body.at(-1);
  if (last?.kind === "continue") return body.slice(0, -1);
  if (last?.kind !== "if") return body;
  const bodies = bodiesOf(last).map(withoutLastJump);
  return [...body.slice(0, -1), withBodies(last, bodies)];
}

const leaves = (statements: StatementList): boolean =>
  statements.length === 1 && statements[0]!.kind === "break";

const integer = (value: number): Expression => constant(INT, BigInt(value));

const not = (operand: Expression): Expression =>
  operand.kind === "unary" && operand.operator === "!"
    ? operand.operand
    : { kind: "unary", operator: "!", type: BOOL, operand };

/** Returns a program whose loops and variables are carried out, or null where that is too much or a loop ends by what it measures. */
export function expandedCircuit(parts: CircuitParts): Circuit | null {
  try {
    return carriedOut(parts);
  } catch (error) {
    if (error instanceof SimulationError) return null;
    throw error;
  }
}

function carriedOut(parts: CircuitParts): Circuit | null {
  const blocks = traceOf(parts);
  return leadsBack(blocks) ? null : residualCircuit(parts, blocks, { keepsGates: true });
}

/** Figures of a program whose loops are carried out. */
export interface ProgramFigures {
  readonly depth: number;
  readonly gateCounts: { readonly [gate: string]: number };
  readonly twoQubitGates: number;
  readonly width: number;
}

/**
 * Returns the figures of a program. Where a loop ends by what it measures, the body of each loop counts once.
 * Throws a {@link SimulationError} where the loops are too long to carry out.
 */
export function programFigures(circuit: Circuit): ProgramFigures {
  const expanded = figuredCircuit(circuit);
  return {
    depth: expanded.depth(),
    gateCounts: Object.freeze(expanded.gateCounts()),
    twoQubitGates: twoQubitGateCount(expanded),
    width: circuit.numQubits,
  };
}

function figuredCircuit(circuit: Circuit): Circuit {
  try {
    return carriedOut(circuit.parts) ?? circuit;
  } catch (error) {
    if (error instanceof SimulationError && !hasLoops(circuit.parts.body)) return circuit;
    throw error;
  }
}

const hasLoops = (statements: StatementList): boolean =>
  !everyStatement(statements, ({ kind }) => kind !== "for" && kind !== "while" && kind !== "graph");
