import { attempted } from "../../host/attempted.ts";
import { bracketDepth } from "../../kernels/cells/index.ts";

/** A cell as a sandbox takes it: a script, or what keeps it from being one. */
export type SandboxCell = { readonly script: string } | { readonly mistake: string };

/** Reports of a sandbox, one per line. */
export type SandboxMessage =
  | { readonly kind: "starts" }
  | { readonly kind: "cell"; readonly index: number; readonly error: string | null }
  | { readonly kind: "answer"; readonly exercise: string; readonly answer: unknown };

export const REPORT_DESCRIPTOR = 3;

/** Deepest brackets of a report; those in a program's text count. */
const MAX_DEPTH = 500;

/** Reads a line of a report, which may be forged: other text, and text that is nested too deeply, is undefined. */
export function readMessage(line: string): SandboxMessage | undefined {
  if (bracketDepth(line) > MAX_DEPTH) return undefined;
  const value: Record<string, unknown> = Object(attempted(() => JSON.parse(line)));
  const { kind, index, error, exercise, answer } = value;
  if (kind === "cell" && Number.isSafeInteger(index))
    return { kind, index: Number(index), error: typeof error === "string" ? error.slice(0, 500) : null };
  if (kind === "answer" && typeof exercise === "string" && exercise.length <= 80)
    return { kind, exercise, answer };
  return kind === "starts" ? { kind } : undefined;
}
