import { constant, type Expression } from "../../circuit/expression.ts";
import type { Value } from "../../circuit/memory.ts";
import { zeroOf } from "../../circuit/values/types.ts";
import { errorAt, tooMany } from "../diagnostics/diagnostic.ts";
import { arrayShape, arrayValues, rankOf, resolveArray } from "../expressions/arrays.ts";
import { assigned, compileTo, compileType, constantInteger, knownBefore } from "../expressions/compiled.ts";
import { knownRegister, resolveRegister } from "../expressions/registers.ts";
import type { RegisterRef } from "../expressions/scope.ts";
import type { ExpressionNode, NodeOf, TypeNode } from "../syntax/ast.ts";
import { lowerMeasurement } from "./assignments.ts";
import type { LoweringContext } from "./context.ts";
import { defineGate } from "./gate-definition.ts";
import { countedFrom, declareVariable, takeSlots } from "./variables.ts";

const MIXED_QUBITS = "A program uses either hardware qubits or registers, not both.";
const MAX_NAMES = 8;

export function declareAlias(context: LoweringContext, { name, value }: NodeOf<"alias">): void {
  context.declare(
    name,
    rankOf(context, value) > 0
      ? { kind: "array", ref: resolveArray(context, value) }
      : { kind: "register", ref: resolveRegister(context, value) },
  );
}

export function hardwareQubit(context: LoweringContext, index: number, node: ExpressionNode): RegisterRef {
  const { program } = context;
  if (index >= context.limits.maxQubits)
    throw errorAt(node, `The qubit $${index} is outside of every device.`);
  if (context.numHardwareQubits === 0 && program.numQubits > 0) throw errorAt(node, MIXED_QUBITS);
  if (index >= context.numHardwareQubits) {
    program.numQubits += index + 1 - context.numHardwareQubits;
    context.numHardwareQubits = index + 1;
    program.quantum[0] = { name: "$", offset: 0, size: index + 1 };
  }
  return knownRegister("qubit", [index], true);
}

export function includeFile(context: LoweringContext, node: NodeOf<"include">): void {
  if (context.scope !== context.global) throw errorAt(node, "An include stands outside of all blocks.");
  context.hasInclude = true;
  const { library, includes } = context;
  if (includes.include(node)) return;
  const gates = library.gatesOf(node.file);
  if (!gates) {
    const names = [...includes.names, ...library.files];
    const files = names.slice(0, MAX_NAMES).map(file => JSON.stringify(file.slice(0, 80)));
    const own = `pass your own file: qasm.files({ "name.inc": "…" })`;
    throw errorAt(
      node,
      `There is no file "${node.file.slice(0, 80)}".`,
      `Include ${files.join(", ")}, or ${own}.`,
    );
  }
  for (const gate of gates) context.global.declare(gate.name, { kind: "gate", gate, isConst: true });
}

export function declareQubits(context: LoweringContext, node: NodeOf<"quantum">): void {
  const { builder } = context;
  if (context.scope !== context.global)
    throw errorAt(node.name, "Qubits are declared outside of all blocks.");
  const size = node.size ? constantInteger(context, node.size, "The size of a register") : 1;
  if (size < 1) throw errorAt(node.size!, `A register of ${size} qubits is not possible.`);
  if (builder.numQubits + size > context.limits.maxQubits)
    throw tooMany(node.at, "The program declares", context.limits.maxQubits, "qubits");
  if (context.numHardwareQubits > 0) throw errorAt(node, MIXED_QUBITS);
  const offset = builder.numQubits;
  const ref = knownRegister("qubit", countedFrom(offset, size), !node.size);
  context.declare(node.name, { kind: "register", ref });
  builder.numQubits += size;
  builder.quantum.push({ name: node.name.name, offset, size });
}

export function declareClassical(context: LoweringContext, node: NodeOf<"classical">): void {
  const { name, value, modifier } = node;
  const { global, builder } = context;
  const isGlobal = context.scope === global;
  if ((modifier === "input" || modifier === "output") && !isGlobal)
    throw errorAt(name, `An ${modifier} is declared outside of all blocks.`);
  if (node.type.array) {
    declareArray(context, node, isGlobal);
    return;
  }
  const type = compileType(context, node.type);
  if (modifier === "const") {
    const compiled = knownBefore(context, () => compileTo(context, value!, type));
    if (!compiled)
      throw errorAt(value!, `The value of the constant ${name.name} is not known before the run.`);
    context.declare(name, { kind: "constant", type, value: compiled.value, isConst: true });
    return;
  }
  if (modifier === "input") {
    const isOpen = context.inputs.isOpen(name);
    const value: Expression = isOpen
      ? { kind: "input", type, name: name.name, at: name.at }
      : constant(type, context.inputs.value(name, type));
    if (isOpen) builder.inputs.push({ name: name.name, type });
    if (type.kind === "bit") declareVariable(context, name, type, value);
    else context.declare(name, { kind: "input", type, value });
    return;
  }
  const first = builder.numBits;
  const isMeasured = type.kind === "bit" && value?.kind === "measure";
  const given = value && !isMeasured ? assigned(context, value, type) : undefined;
  const isUnset = !isGlobal && type.kind === "bit" && !value;
  const compiled = isUnset ? constant(type, zeroOf(type)) : given;
  const offset = isMeasured ? first : builder.numBits;
  const label = given && context.statementLabel(node);
  const symbol = declareVariable(context, name, type, compiled, label);
  if (isGlobal && type.kind === "bit")
    builder.classical.push({ name: name.name, offset, width: type.width ?? 1 });
  if (isGlobal) context.results.push({ name: name.name, isOutput: modifier === "output", symbol });
  if (isMeasured && symbol.kind === "register") lowerMeasurement(context, value.operand, symbol.ref, node);
}

function declareArray(context: LoweringContext, node: NodeOf<"classical">, isGlobal: boolean): void {
  const { name, value, modifier } = node;
  const { builder } = context;
  if (!isGlobal) throw errorAt(name, "Arrays are declared outside of all blocks.");
  const { element, sizes } = arrayShape(context, node.type);
  const count = sizes.reduce((product, size) => product * size, 1);
  const first = takeSlots(context, count, name.at);
  const known = countedFrom(first, count);
  const isReadonly = modifier === "const" || modifier === "input";
  const ref = { element, sizes, known, indices: known, isReadonly };
  const isGiven = modifier === "input" && !context.inputs.isOpen(name);
  if (modifier === "input" && !isGiven)
    builder.inputs.push({ name: name.name, type: element, isArray: true });
  const given = isGiven ? context.inputs.values(name, element, sizes) : null;
  const values = value ? arrayValues(context, value, element, sizes) : null;
  const zeros = new Array<Value>(count).fill(zeroOf(element));
  builder.add({
    kind: "fill",
    ...(value ? { label: context.statementLabel(node) } : {}),
    slots: known,
    values: values ?? { kind: "constants", values: given ?? zeros },
  });
  const symbol = { kind: "array", ref } as const;
  context.declare(name, symbol);
  if (!isReadonly) context.results.push({ name: name.name, isOutput: modifier === "output", symbol });
}

export function declareExtern(context: LoweringContext, node: NodeOf<"extern">): void {
  if (context.scope !== context.global)
    throw errorAt(node.name, "Functions are declared outside of all blocks.");
  if (node.result?.name === "stretch") throw errorAt(node.result, "A function cannot return a stretch.");
  const type = (of: TypeNode) => {
    if (!of.array) return compileType(context, of);
    arrayShape(context, of);
    return null;
  };
  const params = node.params.map(type);
  const result = node.result && type(node.result);
  context.declare(node.name, { kind: "extern", params, result, isConst: true });
}

export function declareGate(context: LoweringContext, node: NodeOf<"gate">): void {
  const { name } = node;
  if (context.scope !== context.global) throw errorAt(name, "Gates are defined outside of all blocks.");
  const entry = node.body
    ? { kind: "gate" as const, gate: defineGate(context, node) }
    : { kind: "opaque" as const };
  context.declare(name, { ...entry, isConst: true });
}
