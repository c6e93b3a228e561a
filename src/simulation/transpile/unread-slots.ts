import type { CircuitParts } from "../circuit/circuit.ts";
import { isList, type OperandIndices } from "../circuit/expression.ts";
import { mapBodies, type Operation, visitAll } from "./operation.ts";

/** Leaves out assignments to slots that nothing reads. */
export function withoutUnread(
  operations: readonly Operation[],
  { outputs }: CircuitParts,
): readonly Operation[] {
  const read = new Set<number>();
  let readsAny = false;
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null || ArrayBuffer.isView(node)) return;
    if (Array.isArray(node)) {
      if (typeof node[0] === "object") for (const inner of node) visit(inner);
      return;
    }
    const { kind, slot, slots } = node as { kind?: string; slot?: number; slots?: OperandIndices };
    if ((kind === "slot" || kind === "claim") && slot !== undefined) read.add(slot);
    if ((kind === "element" || kind === "slots") && slots) {
      if (isList(slots)) for (const one of slots) read.add(one);
      else readsAny = true;
    }
    for (const [key, inner] of Object.entries(node)) if (key !== "range") visit(inner);
  };
  for (const output of outputs) for (const slot of output.slots?.slots ?? []) read.add(slot);
  visitAll(operations, operation => {
    if (operation.kind === "rotation") visit(operation.angle);
    if (operation.kind !== "statement") return;
    const {
      body: _,
      before: __,
      cases,
      otherwise: ___,
      ...own
    } = operation.statement as Record<string, unknown>;
    visit({ ...own, kind: `statement ${operation.statement.kind}` });
    if (cases && operation.statement.kind === "switch") read.add(operation.statement.slot);
  });
  const isUnread = (operation: Operation): boolean => {
    if (operation.kind !== "statement") return false;
    const { statement } = operation;
    if (statement.kind === "assign" || statement.kind === "resolve") return !read.has(statement.slot);
    return (
      statement.kind === "fill" && isList(statement.slots) && !statement.slots.some(slot => read.has(slot))
    );
  };
  return readsAny ? operations : mapBodies(operations, list => list.filter(one => !isUnread(one)));
}
