import type ts from "typescript-6.0";
import type { Signature } from "../../kernels/cells/types.ts";

type Compiler = Pick<typeof ts, "displayPartsToString">;

/** Writes what the compiler knows of a name as Markdown. */
export function describe(
  { displayParts, documentation, tags = [] }: ts.QuickInfo,
  compiler: Compiler,
): string | undefined {
  const form = compiler.displayPartsToString(displayParts);
  if (!form) return undefined;
  const said = tags.map(({ name, text }) => {
    const [first = "", ...rest] = compiler.displayPartsToString(text).split(/(?<=^\S+)\s/);
    if (name === "param") return `*@param* \`${first}\` ${rest.join(" ")}`;
    const whole = compiler.displayPartsToString(text);
    return name === "example"
      ? `*@example*\n\`\`\`typescript\n${whole.replace(/^```\w*\n|\n```$/g, "")}\n\`\`\``
      : `*@${name}* ${whole}`;
  });
  return [`\`\`\`typescript\n${form}\n\`\`\``, compiler.displayPartsToString(documentation), ...said]
    .filter(Boolean)
    .join("\n\n");
}

/** Returns the call that the compiler sees at a place; undefined where there is none. */
export function callOf(
  { items, selectedItemIndex, argumentIndex }: ts.SignatureHelpItems,
  compiler: Compiler,
): Signature | undefined {
  const item = items[selectedItemIndex];
  if (!item) return undefined;
  const text = (parts: ts.SymbolDisplayPart[]) => compiler.displayPartsToString(parts);
  const parameters = item.parameters.map(({ displayParts }) => text(displayParts));
  const parameter =
    parameters[item.isVariadic ? Math.min(argumentIndex, parameters.length - 1) : argumentIndex];
  return {
    label:
      text(item.prefixDisplayParts) +
      parameters.join(text(item.separatorDisplayParts)) +
      text(item.suffixDisplayParts),
    documentation: text(item.documentation),
    ...(parameter !== undefined && { parameter }),
  };
}
