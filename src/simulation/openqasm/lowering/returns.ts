import { armsOf } from "../syntax/arms.ts";
import type { NodeList, StatementNode } from "../syntax/ast.ts";

/** Loops, by their places in the text. */
type Loops = Pick<ReadonlySet<number>, "has">;

/** Whether a body returns at all, wherever that stands in it. */
export function hasReturn(body: NodeList): boolean {
  return body.some(node => node.kind === "return" || branchesOf(node).some(hasReturn));
}

/**
 * Returns a way through a body that ends without a return; null where every way ends in one, at the end of the program, or
 * in a loop that is never left. `endless` has the loops whose condition is a constant that holds.
 */
export function missingReturn(body: NodeList, endless: Loops): MissingReturn | null {
  let missing: MissingReturn | null = { node: null, reason: "" };
  for (const node of body) {
    missing = afterStatement(node, endless);
    if (!missing) return null;
  }
  return missing;
}

/** The last statement on a way without a return, null in an empty body, and what leads past it. */
interface MissingReturn {
  readonly node: StatementNode | null;
  readonly reason: string;
}

function afterStatement(node: StatementNode, endless: Loops): MissingReturn | null {
  const within = (body: NodeList, reason: string, of = node): MissingReturn | null => {
    const missing = missingReturn(body, endless);
    return missing && { node: missing.node ?? of, reason: missing.node ? missing.reason : reason };
  };
  switch (node.kind) {
    case "return":
    case "end":
      return null;
    case "block":
    case "box":
      return within(node.body, "");
    case "if": {
      const arms = armsOf(node);
      for (const arm of arms) {
        const missing = within(arm.body, " when its condition holds", arm);
        if (missing) return missing;
      }
      const last = arms.at(-1)!;
      const reason = " when its condition does not hold";
      return last.otherwise ? within(last.otherwise, reason, last) : { node: last, reason };
    }
    case "switch": {
      const inner = node.cases
        .map(({ body }) => within(body, " when a case without a return fits"))
        .find(Boolean);
      return inner ?? (node.cases.at(-1)?.labels ? { node, reason: " when none of its cases fits" } : null);
    }
    case "while":
      if (endless.has(node.at) && !hasBreak(node.body)) return null;
      return { node, reason: " when the loop ends" };
    case "for":
      return { node, reason: " when the loop ends" };
    default:
      return { node, reason: "" };
  }
}

/** Whether a body leaves the loop around it. */
function hasBreak(body: NodeList): boolean {
  return body.some(
    node =>
      node.kind === "break" ||
      (node.kind !== "while" && node.kind !== "for" && branchesOf(node).some(hasBreak)),
  );
}

/** Returns the bodies within a statement. */
function branchesOf(node: StatementNode): NodeList[] {
  if (node.kind === "if") {
    const arms = armsOf(node);
    return [...arms.map(({ body }) => body), arms.at(-1)!.otherwise ?? []];
  }
  if (node.kind === "switch") return node.cases.map(({ body }) => body);
  const isOpen = node.kind === "block" || node.kind === "box" || node.kind === "while" || node.kind === "for";
  return isOpen ? [node.body] : [];
}
