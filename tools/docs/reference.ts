import { parseSync } from "oxc-parser";
import { childrenOf, type SyntaxNode } from "../../src/kernels/cells/syntax.ts";

interface Declaration {
  name: string;
  /** The file of what it is imported from, without its ending. */
  module: string;
  kind: "function" | "class" | "type";
  comment: string;
  /** The declarations, one an overload, without bodies of classes and interfaces. */
  signatures: string[];
  members: { signature: string; comment: string }[];
}

const MODULES = ["index", "client", "course"];
/** Files of the declarations. */
const FILES = ["types/client.d.ts", "types/index.d.ts", "client.d.ts", "course.d.ts"];

const GROUPS: readonly (readonly [title: string, matches: (each: Declaration) => boolean])[] = [
  ["Client", each => each.module === "client"],
  ["Course", each => each.module === "course"],
  ["Functions", each => each.kind === "function"],
  ["Errors", each => each.kind === "class" && /Error$/.test(each.name)],
  ["Classes", each => each.kind === "class"],
  ["Types", () => true],
];

/** Writes the reference of the public API as Markdown, a page a group, from its files of declarations. */
export function reference(read: (file: string) => string): { title: string; text: string }[] {
  const exported = new Map(
    MODULES.flatMap(module => exportedNames(read(`${module}.d.ts`)).map(name => [name, module] as const)),
  );
  const all = FILES.flatMap(file => declarationsOf(read(file), exported));
  const known = new Map<string, string>();
  const groups = GROUPS.map(([title]) => ({ title, members: [] as Declaration[] }));
  for (const each of all) {
    const group = groups[GROUPS.findIndex(([, matches]) => matches(each))]!;
    group.members.push(each);
    known.set(each.name, group.title);
  }
  return groups.map(({ title, members }) => ({
    title,
    text: `# ${title}\n\nImported from \`${importedFrom(members[0]!)}\`.\n\n${members
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map(each => section(each, title, known))
      .join("\n\n")}`,
  }));
}

/** Where a group's page stands in the site. */
export const referencePath = (title: string): string => `reference/${title.toLowerCase()}.html`;

function section(each: Declaration, page: string, known: ReadonlyMap<string, string>): string {
  const { name, signatures, comment, members } = each;
  const named = new Set(
    [...signatures, ...members.map(({ signature }) => signature)].join(" ").match(/\b[A-Z]\w+/g),
  );
  const links = [...named]
    .filter(other => other !== name && known.has(other))
    .map(other => {
      const group = known.get(other)!;
      return `[${other}](${group === page ? "" : `${group.toLowerCase()}.html`}#${other})`;
    });
  const rows = members.map(member => `- \`${oneLine(member.signature)}\`  \n  ${indented(member.comment)}`);
  return [
    `## ${name}`,
    `~~~typescript\n${signatures.join("\n")}\n~~~`,
    comment,
    ...(rows.length > 0 ? [rows.join("\n")] : []),
    ...(links.length > 0 ? [`See ${links.join(", ")}.`] : []),
  ].join("\n\n");
}

const importedFrom = ({ module }: Declaration) => (module === "index" ? "ketbook" : `ketbook/${module}`);
const oneLine = (text: string) => text.replace(/\/\*\*[\s\S]*?\*\//g, "").replace(/\s+/g, " ");
const indented = (text: string) => text.replaceAll("\n", "\n  ");

function declarationsOf(code: string, exported: ReadonlyMap<string, string>): Declaration[] {
  const { program, comments } = parseSync("index.d.ts", code, { lang: "dts" });
  const endings = new Map(comments.map(each => [each.end, each.value]));
  const commentBefore = (start: number) => {
    const end = code.slice(0, start).trimEnd().length;
    return readable(endings.get(end) ?? "");
  };
  const found = new Map<string, Declaration>();
  for (const statement of program.body as unknown as SyntaxNode[]) {
    const declared = nameOf(statement);
    const module = exported.get(declared ?? "");
    if (declared === undefined || module === undefined) continue;
    const kind = kindOf(statement);
    const body = statement.body as SyntaxNode | undefined;
    const hasMembers = body?.type === "ClassBody" || body?.type === "TSInterfaceBody";
    const end = hasMembers ? body.start : statement.end;
    const before = found.get(declared);
    const each = before ?? { name: declared, module, kind, comment: "", signatures: [], members: [] };
    if (kind !== "type") each.kind = kind;
    each.signatures.push(
      code
        .slice(statement.start, end)
        .replace(/^declare /, "")
        .trim(),
    );
    each.comment ||= commentBefore(statement.start);
    if (hasMembers)
      for (const member of [...childrenOf(body)].toSorted((a, b) => a.start - b.start))
        each.members.push({
          signature: code.slice(member.start, member.end).replace(/;$/, ""),
          comment: commentBefore(member.start),
        });
    found.set(declared, each);
  }
  return [...found.values()];
}

type Named = SyntaxNode & { name: string };

function exportedNames(code: string): string[] {
  const { program } = parseSync("index.d.ts", code, { lang: "dts" });
  return (program.body as unknown as SyntaxNode[])
    .filter(({ type }) => type === "ExportNamedDeclaration")
    .flatMap(({ specifiers }) => specifiers as { local: Named }[])
    .map(({ local }) => local.name);
}

function nameOf(statement: SyntaxNode): string | undefined {
  const [variable] = (statement.declarations ?? []) as { id: Named }[];
  return ((statement.id as Named | undefined) ?? variable?.id)?.name;
}

function kindOf({ type }: SyntaxNode): Declaration["kind"] {
  if (type === "ClassDeclaration") return "class";
  return type.startsWith("TS") && type !== "TSDeclareFunction" ? "type" : "function";
}

/** A comment's text as Markdown. */
function readable(comment: string): string {
  return comment
    .replace(/^\*\s?/, "")
    .replace(/^[ \t]*\* ?/gm, "")
    .replace(/^@example\n(?!```)([\s\S]*?)(?=\n@|$(?![\s\S]))/gm, "*Example:*\n\n~~~typescript\n$1\n~~~\n")
    .replace(/^@example$/gm, "*Example:*\n")
    .replace(/^@throws (.*)/gm, "\n*Throws* $1")
    .replace(/^@param (\w+) - /gm, "\n`$1`: ")
    .replace(/^@deprecated /gm, "*Deprecated.* ")
    .trim();
}
