import type { Expression } from "../../circuit/expression.ts";
import { type Type, typeName } from "../../circuit/values/types.ts";
import { errorAt } from "../diagnostics/diagnostic.ts";
import { arrayShape, fits, resolveArray, shapeOf, UNKNOWN_SIZE } from "../expressions/arrays.ts";
import { assigned, compileType, constantInteger } from "../expressions/compiled.ts";
import { withinScope } from "../expressions/context.ts";
import { knownRegister, resolveQubits } from "../expressions/registers.ts";
import type { ArrayRef, RegisterRef, Scope } from "../expressions/scope.ts";
import type { ExpressionNode, ParameterNode } from "../syntax/ast.ts";
import type { Argument, BoundParameter, LoweringContext } from "./context.ts";
import { countedFrom, declareVariable, storeBits, takeBits, takeSlots } from "./variables.ts";

/** Declares a parameter with placeholder qubits, bits and slots, to check the body. */
export function pretendParameter(context: LoweringContext, param: ParameterNode, scope: Scope): void {
  const { builder } = context;
  if (param.type.name === "qubit") {
    const first = builder.numQubits;
    builder.numQubits += qubitCount(context, param);
    const known = countedFrom(first, builder.numQubits - first);
    scope.declare(param.name, { kind: "register", ref: knownRegister("qubit", known, !param.type.width) });
  } else if (param.type.array) {
    const { dimensions } = param.type.array;
    const { element, sizes } = arrayShape(context, param.type);
    const isReadonly = param.type.array.access === "readonly";
    if (dimensions) {
      const open = new Array<number>(dimensionsOf(context, dimensions)).fill(UNKNOWN_SIZE);
      const ref = { element, sizes: open, known: null, indices: [], isReadonly };
      scope.declare(param.name, { kind: "array", ref });
      return;
    }
    const count = sizes.reduce((product, size) => product * size, 1);
    const first = takeSlots(context, count, param.at);
    const known = countedFrom(first, count);
    scope.declare(param.name, {
      kind: "array",
      ref: { element, sizes, known, indices: known, isReadonly },
    });
  } else withinScope(context, scope, () => declareVariable(context, param, compileType(context, param.type)));
}

/** Binds a parameter; one of a subroutine that calls itself gets a place that can be set again, an array nothing. */
export function bindParameter(
  context: LoweringContext,
  param: ParameterNode,
  arg: ExpressionNode,
  scope: Scope,
  isRecursive: boolean,
): BoundParameter | null {
  if (param.type.array) {
    const ref = bindArray(context, param, arg);
    if (isRecursive) throw errorAt(param, "A subroutine that calls itself takes no arrays.");
    scope.declare(param.name, { kind: "array", ref });
    return null;
  }
  const given = compileArgument(context, param, arg);
  const set = declareParameter(context, param, given, scope, isRecursive);
  set(given);
  return { param, given, set };
}

type QubitRef = Extract<Argument, RegisterRef>;

/** Compiles what a call hands to a parameter that is not an array. */
export function compileArgument(
  context: LoweringContext,
  param: ParameterNode,
  arg: ExpressionNode,
): Argument {
  if (param.type.name === "qubit") return resolveSized(context, arg, qubitCount(context, param));
  return assigned(context, arg, compileType(context, param.type));
}

/** Declares a parameter that is not an array, and returns a function that sets it to an argument like the given one. */
export function declareParameter(
  context: LoweringContext,
  param: ParameterNode,
  given: Argument,
  scope: Scope,
  isRecursive = false,
): (argument: Argument) => void {
  if (given.kind !== "qubit")
    return declareClassical(context, param, given.type, scope) as (argument: Argument) => void;
  const isSingle = !param.type.width;
  if (given.known && !isRecursive) {
    scope.declare(param.name, { kind: "register", ref: knownRegister("qubit", given.known, isSingle) });
    return () => {};
  }
  const slot = takeSlots(context);
  const indices = { kind: "slot", slot } as const;
  const ref: RegisterRef = { kind: "qubit", known: null, indices, width: given.width, isSingle };
  scope.declare(param.name, { kind: "register", ref });
  return argument => context.builder.add({ kind: "resolve", slot, indices: (argument as QubitRef).indices });
}

/** Declares a classical parameter and returns what sets it to a value. */
function declareClassical(
  context: LoweringContext,
  param: ParameterNode,
  type: Type,
  scope: Scope,
): (value: Expression) => void {
  if (type.kind === "bit") {
    const ref = takeBits(context, type.width ?? 1, param.at, type.width === null);
    scope.declare(param.name, { kind: "register", ref });
    return value => storeBits(context, ref, value);
  }
  const slot = takeSlots(context);
  scope.declare(param.name, { kind: "variable", type, slot });
  return value => context.builder.add({ kind: "assign", slot, value });
}

function qubitCount(context: LoweringContext, { type }: ParameterNode): number {
  if (!type.width) return 1;
  const size = constantInteger(context, type.width, "The size of a parameter");
  if (size < 1 || size > context.limits.maxQubits)
    throw errorAt(type.width, `A parameter of ${size} qubits is not possible.`);
  return size;
}

function dimensionsOf(context: LoweringContext, node: ExpressionNode): number {
  const count = constantInteger(context, node, "The number of dimensions");
  if (count < 1 || count > 7) throw errorAt(node, "An array has from 1 to 7 dimensions.");
  return count;
}

function resolveSized(context: LoweringContext, node: ExpressionNode, size: number): QubitRef {
  const ref = resolveQubits(context, node) as QubitRef;
  if (ref.width !== null && ref.width !== size)
    throw errorAt(node, `${size} qubits are wanted here; these are ${ref.width}.`);
  return { ...ref, width: size };
}

function bindArray(context: LoweringContext, param: ParameterNode, arg: ExpressionNode): ArrayRef {
  const { element, sizes, dimensions, access } = param.type.array!;
  if (arg.kind === "concatenation")
    throw errorAt(arg, "Arrays are joined in a variable of their own, not in the argument of a call.");
  const ref = resolveArray(context, arg);
  const type: Type = compileType(context, element);
  if (typeName(type) !== typeName(ref.element))
    throw errorAt(
      arg,
      `An array of ${typeName(type)} is wanted here; this is one of ${typeName(ref.element)}.`,
    );
  if (dimensions) {
    const count = dimensionsOf(context, dimensions);
    if (ref.sizes.length !== count)
      throw errorAt(arg, `An array of ${count} dimensions is wanted here; this one has ${ref.sizes.length}.`);
  } else {
    const wanted = sizes.map(size => constantInteger(context, size, "The size of an array"));
    if (!fits(ref.sizes, wanted))
      throw errorAt(arg, `The shape ${shapeOf(ref.sizes)} does not fit the shape ${shapeOf(wanted)}.`);
  }
  if (access === "mutable" && ref.isReadonly)
    throw errorAt(arg, "This array is read only and cannot be handed on as mutable.");
  if (ref.known) return { ...ref, isReadonly: access === "readonly" };
  const slot = takeSlots(context);
  context.builder.add({ kind: "resolve", slot, indices: ref.indices });
  return { ...ref, indices: { kind: "slot", slot }, isReadonly: access === "readonly" };
}
