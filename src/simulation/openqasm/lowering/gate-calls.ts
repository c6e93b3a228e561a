import type { Expression } from "../../circuit/expression.ts";
import type { Gate } from "../../circuit/gate.ts";
import { builtSteps, modify } from "../../circuit/modifiers.ts";
import { OPERATION, operandsAt } from "../../circuit/operations.ts";
import { factsOf, NATIVE, OTHER_GATES } from "../../circuit/standard.ts";
import type { CallModifier } from "../../circuit/statement.ts";
import { errorAt, rangeErrorsAt } from "../diagnostics/diagnostic.ts";
import { didYouMean } from "../diagnostics/nearest-name.ts";
import { AlreadyReportedError, constantInteger, realNumber } from "../expressions/compiled.ts";
import { resolveQubits } from "../expressions/registers.ts";
import type { RegisterRef } from "../expressions/scope.ts";
import type { ModifierNode, NameNode, StatementNode } from "../syntax/ast.ts";
import type { LoweringContext } from "./context.ts";
import { checkDuration } from "./timing.ts";

type Call = StatementNode & { kind: "call" };

const MAX_CONTROLS = 64;
/** Words that can begin a statement with operands, other than gates. */
const STATEMENTS = ["qubit", "bit", "measure", "reset", "barrier", "delay", "gphase"];
/** Weight of a step of a definition, by its memory relative to an operation. */
export const STEP_WEIGHT = 20;

/**
 * Lowers a call of a gate to operations, one for each index of the registers, or to a statement
 * where something about it is not known before the run.
 */
export function lowerGateCall(context: LoweringContext, node: Call): void {
  const { builder } = context;
  const { gate, base, modifiers } = calledGate(context, node);
  if (node.duration) checkDuration(context, node.duration);
  const params = callParams(context, node, gate);
  const qubits = node.operands.map(operand => resolveQubits(context, operand));
  checkOperands(node, gate, qubits.length, qubits[0]?.width);
  const width = broadcast(node, gate, qubits);
  countSteps(context, gate, width ?? 1, node.at);
  if (!modifiers && qubits.every(isKnown) && params.every(isConstant)) {
    context.checkLength(width ?? 1, node.at);
    const operands = qubits.map(({ known }) => known!);
    if (operands.length > 1)
      for (let i = 0; i < (width ?? 1); i++) checkDistinct(node, gate, operandsAt(operands, i));
    const values = params.map(({ value }) => value as number);
    builder.broadcast(width ?? 1, OPERATION.gate, operands, builder.gateIndex(gate), values);
    return;
  }
  builder.add({
    ...{ kind: "gate", gate: builder.gateIndex(modifiers ? base : gate), name: node.name.name },
    ...{ label: context.statementLabel(node), args: node.args.map(arg => context.label(arg)), params },
    ...{ modifiers: modifiers ?? [], qubits: qubits.map(ref => ref.indices) },
  });
}

/** Counts the elementary gates in a number of calls of a defined gate. Throws above the limit. */
export function countSteps(context: LoweringContext, gate: Gate, calls: number, at: number): void {
  if (gate.kind !== "composite" || gate.size === 1) return;
  const what = () => `The gate ${gate.name} comes to ${gate.size.toLocaleString("en-US")} gates of one step`;
  context.expansion.add(calls * (gate.size - 1), at, what);
}

/** Finds the gate of a call with its modifiers, and without; `modifiers` are there where they are computed. */
export function calledGate(
  context: LoweringContext,
  node: Call,
): { gate: Gate; base: Gate; modifiers: readonly CallModifier[] | null } {
  const base = findGate(context, node.name);
  if (node.modifiers.length === 0) return { gate: base, base, modifiers: null };
  const modifiers = node.modifiers.toReversed().map(modifier => callModifier(context, modifier));
  const before = builtSteps();
  let isKnown = true;
  const gate = modifiers.reduce((inner, modifier, i) => {
    const exponent = modifier.kind === "pow" ? (modifier.exponent.value as number | undefined) : 1;
    isKnown &&= exponent !== undefined;
    return rangeErrorsAt(node.modifiers.at(-1 - i)!, () =>
      modify(inner, modifier.kind === "pow" ? { kind: "pow", exponent: exponent ?? 1 } : modifier),
    );
  }, base);
  const built = builtSteps() - before;
  if (built > 0)
    context.expansion.add(
      STEP_WEIGHT * built,
      node.at,
      () => `The modified ${node.name.name} takes ${built.toLocaleString("en-US")} steps to define`,
    );
  return { gate, base, modifiers: isKnown ? null : modifiers };
}

export function callParams(context: LoweringContext, node: Call, gate: Gate) {
  if (node.args.length !== gate.numParams)
    throw errorAt(
      node.name,
      `${node.name.name} takes ${counted(gate.numParams, "argument")}, not ${node.args.length}.`,
      node.args.length === 0
        ? `Write ${gate.numParams === 1 ? "it" : "them"} in parentheses, as in \`${node.name.name}(${new Array(gate.numParams).fill("pi / 2").join(", ")}) …;\`.`
        : undefined,
    );
  return node.args.map(arg => realNumber(context, arg));
}

function findGate(context: LoweringContext, name: NameNode): Gate {
  const { scope } = context;
  const symbol = scope.find(name.name);
  const kind = typeof symbol === "object" ? symbol.kind : symbol;
  if (typeof symbol === "object" && symbol.kind === "gate") return symbol.gate;
  if (kind === "faulty") throw new AlreadyReportedError();
  if (kind === "opaque")
    throw errorAt(name, `The gate ${name.name} is opaque: its effect is unknown, so it cannot be simulated.`);
  if (symbol) throw errorAt(name, `${name.name} is not a gate.`);
  const implied = context.impliedGate(name);
  if (implied) return implied;
  const library = context.library.fileOf(name.name);
  const known = [...OTHER_GATES, ...NATIVE].find(gate => gate.name === name.name);
  const printed = ` as \`program(2, q => q.${name.name}(…))\` prints it`;
  const definition = known && factsOf(known).definition;
  throw errorAt(
    name,
    `There is no gate ${name.name}.`,
    library
      ? `It is part of the library: add \`include "${library}";\`.`
      : known
        ? `The library lacks it. Define it${definition ? `: \`${definition}\`` : printed}.`
        : didYouMean(name.name, [...STATEMENTS, ...scope.names("gate")]),
  );
}

function callModifier(context: LoweringContext, node: ModifierNode): CallModifier {
  const { kind } = node;
  if (kind === "inv") return { kind };
  if (kind === "pow") return { kind, exponent: realNumber(context, node.argument!) };
  const count = node.argument ? constantInteger(context, node.argument, `The number of controls`) : 1;
  if (count < 1 || count > MAX_CONTROLS)
    throw errorAt(node.argument!, `The number of controls has to be from 1 to ${MAX_CONTROLS}.`);
  return { kind, count };
}

/** Checks the number of operands; a single one has a width. */
export function checkOperands(node: Call, gate: Gate, count: number, width: number | null = 1): void {
  if (count === gate.numQubits) return;
  throw errorAt(
    node.name,
    `${gate.name} takes ${counted(gate.numQubits, "qubit")}, not ${count}.`,
    count === 1 && width === gate.numQubits
      ? "A register is one operand; name its qubits one by one."
      : undefined,
  );
}

/** Returns the common width of the registers among the operands, or null where all are single. */
function broadcast(node: Call, gate: Gate, qubits: readonly RegisterRef[]): number | null {
  let width: number | null = null;
  qubits.forEach((ref, i) => {
    if (ref.isSingle || ref.width === null || ref.width === 1) return;
    if (width !== null && width !== ref.width)
      throw errorAt(
        node.operands[i]!,
        `${gate.name} is applied to registers of ${width} and ${ref.width} qubits; their sizes must be equal.`,
      );
    width = ref.width;
  });
  return width;
}

export function checkDistinct(node: Call, gate: Gate, operands: readonly number[]): void {
  const i = repeatedAt(operands);
  if (i >= 0) throw errorAt(node.operands[i]!, `${gate.name} is applied to the same qubit twice.`);
}

const isKnown = (ref: RegisterRef): boolean => ref.known !== null;
const isConstant = (param: Expression): boolean => param.value !== undefined;
/** Returns the first place whose qubit has been named before, or -1. */
function repeatedAt(qubits: readonly number[]): number {
  if (qubits.length < 16) return qubits.findIndex((qubit, i) => qubits.indexOf(qubit) < i);
  const seen = new Set<number>();
  return qubits.findIndex(qubit => seen.size === seen.add(qubit).size);
}

export const counted = (count: number, thing: string) => `${count} ${thing}${count === 1 ? "" : "s"}`;
