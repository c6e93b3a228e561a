import type { StatementNode } from "../syntax/ast.ts";

type Body = readonly StatementNode[];

/** Whether a body returns at all, wherever that stands in it. */
export function hasReturn(body: Body): boolean {
  return body.some(node => node.kind === "return" || branchesOf(node).some(hasReturn));
}

/** Whether every way through a body ends in a return, at the end of the program, or in a loop that is never left. */
export function alwaysReturns(body: Body): boolean {
  return body.some(node => {
    switch (node.kind) {
      case "return":
      case "end":
        return true;
      case "block":
      case "box":
        return alwaysReturns(node.body);
      case "if":
        return node.otherwise !== null && alwaysReturns(node.body) && alwaysReturns(node.otherwise);
      case "switch":
        return !node.cases.at(-1)?.labels && node.cases.every(({ body: inner }) => alwaysReturns(inner));
      case "while":
        return node.condition.kind === "boolean" && node.condition.value && !hasBreak(node.body);
      default:
        return false;
    }
  });
}

/** Whether a body leaves the loop around it. */
function hasBreak(body: Body): boolean {
  return body.some(
    node =>
      node.kind === "break" ||
      (node.kind !== "while" && node.kind !== "for" && branchesOf(node).some(hasBreak)),
  );
}

/** Returns the bodies within a statement. */
function branchesOf(node: StatementNode): Body[] {
  if (node.kind === "if") return [node.body, node.otherwise ?? []];
  if (node.kind === "switch") return node.cases.map(({ body }) => body);
  const isOpen = node.kind === "block" || node.kind === "box" || node.kind === "while" || node.kind === "for";
  return isOpen ? [node.body] : [];
}
