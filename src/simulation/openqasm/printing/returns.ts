import { bodiesOf, type Statement } from "../../circuit/statement.ts";

/** Returns the body of a subroutine without the return at its end. */
export function withoutLastReturn(body: readonly Statement[]): readonly Statement[] {
  const last = body.at(-1);
  if (last?.kind === "return") return body.slice(0, -1);
  return last?.kind === "scope" ? [...body.slice(0, -1), ...withoutLastReturn(last.body)] : body;
}

/** Whether a subroutine returns within these statements of its body. */
export const hasReturn = (statements: readonly Statement[]): boolean =>
  statements.some(
    statement =>
      statement.kind === "return" || (statement.kind !== "subroutine" && bodiesOf(statement).some(hasReturn)),
  );
