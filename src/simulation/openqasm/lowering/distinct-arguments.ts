import { isList, type OperandIndices } from "../../circuit/expression.ts";
import { INT } from "../../circuit/values/types.ts";
import { errorAt } from "../diagnostics/diagnostic.ts";
import type { RegisterRef, Scope } from "../expressions/scope.ts";
import type { ExpressionNode } from "../syntax/ast.ts";
import type { LoweringContext } from "./context.ts";
import { takeTemporary } from "./variables.ts";

type Call = ExpressionNode & { kind: "call" };

type QubitArgument = Pick<RegisterRef, "known" | "indices" | "width">;

/** Checks that a call is given no qubit twice, and as many as it wants: at once where they are known, and otherwise as it runs. */
export function checkDistinctQubits(
  context: LoweringContext,
  node: Call,
  args: readonly (QubitArgument | null)[],
): void {
  checkKnown(node, "qubit", args);
  checkComputed(
    context,
    node,
    args.filter(arg => arg !== null),
  );
}

/** Checks the arguments that were bound to parameters: their qubits, and that none of the arrays that are written to overlap. */
export function checkBoundArguments(
  context: LoweringContext,
  node: Call,
  names: readonly string[],
  scope: Scope,
): void {
  const bound = names.map(name => scope.find(name) as Exclude<ReturnType<Scope["find"]>, string>);
  checkKnown(
    node,
    "element",
    bound.map(entry => (entry?.kind === "array" && !entry.ref.isReadonly ? entry.ref : null)),
  );
  checkDistinctQubits(
    context,
    node,
    bound.map(entry => (entry?.kind === "register" && entry.ref.kind === "qubit" ? entry.ref : null)),
  );
}

/** Checks qubits that are computed, before a call or, where it calls itself, before the next one. */
export function checkComputed(
  context: LoweringContext,
  { name, at }: Pick<Call, "name" | "at">,
  args: readonly { readonly indices: OperandIndices; readonly width: number | null }[],
): void {
  const parts = args.map(({ indices }) => indices);
  const widths = args.map(({ width }) => width!);
  if (parts.every(isList) || (widths.length === 1 && widths[0] === 1)) return;
  const slot = takeTemporary(context, INT);
  const indices: OperandIndices = { kind: "joined", parts, call: { name, widths }, at };
  context.builder.add({ kind: "resolve", slot, indices });
}

function checkKnown(
  node: Call,
  what: string,
  args: readonly ({ readonly known: readonly number[] | null } | null)[],
): void {
  const seen = new Set<number>();
  args.forEach((arg, i) => {
    for (const place of arg?.known ?? [])
      if (seen.size === seen.add(place).size)
        throw errorAt(node.args[i]!, `${node.name} is called with the same ${what} twice.`);
  });
}
