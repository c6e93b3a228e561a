import { programAt } from "./completion.ts";
import type { Question, TypedCells } from "./typed-cells.ts";

const UNKNOWN = /^```\w+\s+any\s+```\s*$/;

/** Returns the description of the name at a place of a cell, and of the call around it, as Markdown; or nothing. */
export async function describeAt(
  question: Question,
  typed: Pick<TypedCells, "hover" | "signature">,
): Promise<string> {
  const program = programAt(question);
  if (program) return (await program.language.describe(program.code, program.offset)) ?? "";
  const [said = "", call] = await Promise.all([typed.hover(question), describeCall(question, typed)]);
  return [!UNKNOWN.test(said) && said, call].filter(Boolean).join("\n\n");
}

/** Returns the description of the call around a place, with the current parameter, as Markdown. */
export async function describeCall(
  question: Question,
  typed: Pick<TypedCells, "signature">,
): Promise<string | undefined> {
  const found = await typed.signature(question);
  if (!found) return undefined;
  const { label, parameter, documentation } = found;
  const parts = [
    `\`\`\`typescript\n${label}\n\`\`\``,
    parameter && `Parameter: **${parameter}**`,
    documentation,
  ];
  return parts.filter(Boolean).join("\n\n");
}
