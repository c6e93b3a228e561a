import { RUNTIME } from "./declarations.ts";
import type { Edits } from "./edits.ts";
import { childrenOf, type SyntaxNode } from "./syntax.ts";

const LOOP = /^(?:While|DoWhile|For|ForIn|ForOf)Statement$/;
const TURNS = "__ketbook_turns__";

/** First statement of a loop's body: every few thousand iterations, it checks for an interrupt. */
export const LOOP_CHECK = `if ((++${TURNS} & 4095) === 0) ${RUNTIME}.turn();`;

/** Makes all loops of a program check for interrupts. Returns the code to put before the program. */
export function checkLoops(body: readonly SyntaxNode[], edits: Edits): string {
  let found = false;
  for (const statement of body) visit(statement);
  return found ? `let ${TURNS} = 0;` : "";

  function visit(node: SyntaxNode): void {
    if (LOOP.test(node.type)) {
      found = true;
      const { type, start, end } = node.body as SyntaxNode;
      if (type === "BlockStatement") edits.insert(start + 1, LOOP_CHECK);
      else {
        edits.insert(start, `{${LOOP_CHECK}`);
        edits.insert(end, "}");
      }
    }
    for (const child of childrenOf(node)) visit(child);
  }
}
