import { type CellLanguage, languageOf, languageOfTag } from "../cells/languages.ts";
import type { CompletionItem } from "../cells/types.ts";
import type { Question, TypedCells } from "./typed-cells.ts";

export interface Completions {
  start: number;
  items: readonly CompletionItem[];
}

const WORD = /[\p{ID_Continue}$#]*$/u;
const PATH = /^(?:\.{1,2}|~)?\//;
const FILE_CALL =
  /\b(?:read|write|append|copy|open|exists|stat|lstat|access|unlink|rm|mkdir|rename|watch|create(?:Read|Write)Stream)\w*\s*\(\s*["'`]$/;
/** A global that is a value and a type: where it can be written, so can the names of earlier cells. */
const EVERYWHERE = "Array";
const TEMPLATE_END = /(?:\\[\s\S]|[^`\\])*/y;

/** The program in another language that a place is inside of: the cell, or a template in it. */
function programAt({
  code,
  offset,
}: Question): (Question & { start: number; language: CellLanguage }) | undefined {
  const whole = languageOf(code);
  if (whole) return { code, offset, start: 0, language: whole };
  const around = surroundingsOf(code, offset);
  const language = around.type === "template" ? languageOfTag(around.tag) : undefined;
  if (around.type !== "template" || !language) return undefined;
  const { start } = around;
  TEMPLATE_END.lastIndex = start;
  return { code: TEMPLATE_END.exec(code)![0], offset: offset - start, start, language };
}

const MAX_MATCHES = 1000;

/**
 * Returns what can be written at a place of a cell and begins as the text that is there, the likeliest first. `pathsAfter`
 * lists the files that complete a path.
 */
export async function completionsAt(
  question: Question,
  typed: Pick<TypedCells, "complete" | "declared">,
  pathsAfter: (path: string) => Promise<readonly CompletionItem[]>,
): Promise<Completions> {
  const { start, items } = await itemsAt(question, typed, pathsAfter);
  const word = question.code.slice(start, question.offset);
  const lower = word.toLowerCase();
  const ranked = items
    .filter(({ name }) => name.toLowerCase().startsWith(lower))
    .sort((a, b) => Number(b.name.startsWith(word)) - Number(a.name.startsWith(word)))
    .slice(0, MAX_MATCHES);
  return { start, items: ranked };
}

async function itemsAt(
  question: Question,
  typed: Pick<TypedCells, "complete" | "declared">,
  pathsAfter: (path: string) => Promise<readonly CompletionItem[]>,
): Promise<Completions> {
  const { code, offset } = question;
  const program = programAt(question);
  if (program) {
    const { start, items } = await program.language.complete(program.code, program.offset);
    return { start: start + program.start, items };
  }
  const around = surroundingsOf(code, offset);
  if (around.type === "comment") return { start: offset, items: [] };
  const items = await typed.complete(question);
  if (around.type === "code")
    return { start: offset - WORD.exec(code.slice(0, offset))![0].length, items: [...declared(), ...items] };
  const text = code.slice(around.start, offset);
  const segment = around.start + text.lastIndexOf("/") + 1;
  const isPath = PATH.test(text) || FILE_CALL.test(code.slice(0, around.start));
  if (items.length === 0 && isPath) return { start: segment, items: await pathsAfter(text) };
  const isWhole = !isPath && items.some(({ name }) => name.startsWith(text));
  return { start: isWhole ? around.start : segment, items };

  function declared(): CompletionItem[] {
    const found = new Set(items.map(({ name }) => name));
    const isMember = /(?<!\.\.)\.\s*[\p{ID_Continue}$#]*$/u.test(code.slice(0, offset));
    if (isMember || (items.length > 0 && !found.has(EVERYWHERE))) return [];
    const more = typed.declared().filter(({ name }) => !found.has(name));
    return more.sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

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

export type Surroundings =
  | { type: "code" }
  | { type: "comment" }
  /** `start` is the offset of the first character after the opening quote. */
  | { type: "string"; start: number }
  /** `tag` is the name before the opening quote, or empty. */
  | { type: "template"; start: number; tag: string };

const TAG = /([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*$/u;

/** Reads a cell, which need not be whole, up to an offset, and says what that is inside of. */
function surroundingsOf(code: string, offset: number): Surroundings {
  const open: Extract<Surroundings, { type: "template" }>[] = [];
  /** Braces that are open in each of the open templates' `${`. */
  const braces: number[] = [];
  let at = 0;
  while (at < offset) {
    const template = open.at(-1);
    if (template && braces.length < open.length) {
      const end = endOf(code, at, /(?:\\[\s\S]|\$(?!\{)|[^`$\\])*/y);
      if (end >= offset) return template;
      if (code[end] === "`") open.pop();
      else braces.push(0);
      at = end + (code[end] === "`" ? 1 : 2);
      continue;
    }
    const character = code[at]!;
    if (code.startsWith("//", at) || code.startsWith("/*", at)) {
      const end = endOf(code, at, code[at + 1] === "/" ? /[^\n]*/y : /\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/y);
      if (end >= offset && !code.slice(at + 2, offset).endsWith("*/")) return { type: "comment" };
      at = end;
    } else if (character === '"' || character === "'") {
      const text = character === '"' ? /(?:\\[\s\S]|[^"\\\n])*/y : /(?:\\[\s\S]|[^'\\\n])*/y;
      const end = endOf(code, at + 1, text);
      if (end >= offset) return { type: "string", start: at + 1 };
      at = end + 1;
    } else {
      if (character === "`")
        open.push({ type: "template", start: at + 1, tag: TAG.exec(code.slice(0, at))?.[1] ?? "" });
      else if (character === "{" && braces.length > 0) braces[braces.length - 1]! += 1;
      else if (character === "}" && braces.at(-1) === 0) braces.pop();
      else if (character === "}" && braces.length > 0) braces[braces.length - 1]! -= 1;
      at += 1;
    }
  }
  const template = open.at(-1);
  return template && braces.length < open.length ? template : { type: "code" };
}

function endOf(code: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from;
  return from + (pattern.exec(code)?.[0].length ?? 0);
}
