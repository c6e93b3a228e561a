import { LIBRARY_FILES } from "../library-name.ts";

const MAX_MEMBERS = 12;
/** Files of the library that declare its classes and interfaces. */
const DECLARATIONS = ["types/index", "types/client", "course"];
const DEVICE =
  /^Argument of type '(?:string|"[^"]*")' is not assignable to parameter of type '[^']*\bPendingDevice\b/;
const NO_SUCH_MEMBER =
  /(?:does not exist (?:on|in) type|has no properties in common with type) '(\w+)(?:<[^']*>)?'(?!.*\bDid you (?:mean|forget)\b)/;

/**
 * Returns what to do about a message of the compiler, by the library's declarations; an empty string where that is not
 * known.
 */
export function adviceOn(message: string, libraryTypes: (file: string) => string): string {
  const [, name] = /^Cannot find name '(\w+)'(?!.*\bDid you mean\b)/.exec(message) ?? [];
  if (name === "print") return "Write console.log(…).";
  for (const [module, file] of name ? LIBRARY_FILES : [])
    if (isExported(name!, libraryTypes(file)))
      return `Run the cell that imports it, or add: import { ${name} } from "${module}";`;
  if (name) return "Run the cell that declares it. Text is written in quotes.";
  if (DEVICE.test(message)) return 'Write device("…").';
  const [, type] = NO_SUCH_MEMBER.exec(message) ?? [];
  const members = type ? membersOf(type, DECLARATIONS.map(libraryTypes).join("\n")) : [];
  if (members.length === 0) return "";
  const more = members.length > MAX_MEMBERS ? ` and ${members.length - MAX_MEMBERS} more` : "";
  return `${type} has ${members.slice(0, MAX_MEMBERS).join(", ")}${more}.`;
}

function isExported(name: string, types: string): boolean {
  return new RegExp(`[ ,]${name}[, ]`).test(types.slice(types.lastIndexOf("export {")));
}

/** The names of a class's or an interface's members, its own before those of what it extends. */
function membersOf(type: string, types: string): string[] {
  const [, base, body = ""] =
    new RegExp(
      `^(?:declare )?(?:abstract )?(?:class|interface) ${type}\\b[^\\n]*?(?: extends (\\w+))?[^\\n]*\\{\\n([^]*?)^\\}`,
      "m",
    ).exec(types) ?? [];
  const own = [...body.matchAll(/^ {2}(?:readonly |get )?([a-zA-Z]\w*)\??[(:<]/gm)].map(
    ([, member]) => member!,
  );
  const inherited = base && base !== type ? membersOf(base, types) : [];
  return [...new Set([...own, ...inherited])].filter(member => member !== "constructor");
}
