/** Context of a place in a cell. */
export type Surroundings =
  | { type: "code" }
  | { type: "comment" }
  /** `start` is the offset of the first character after the opening quote. */
  | { type: "string"; start: number }
  /** `tag` is the name before the opening quote, or empty. */
  | { type: "template"; start: number; tag: string };

const TAG = /([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*$/u;

/** Reads a cell, which need not be whole, up to an offset, and says what that is inside of. */
export function surroundingsOf(code: string, offset: number): Surroundings {
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
