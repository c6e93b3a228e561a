/** Deepest brackets that a cell may have; parsers in native code end their process at some thousands. */
const MAX_BRACKETS = 1000;
/** Most operators and keywords that nest without brackets, such as `a ? b : a ? b : …`, in the statements around any place. */
const MAX_NESTED = 5000;

/** Tokens by the stack that a parser needs for each, in parts of {@link MAX_NESTED}: brackets and `extends`, `<`, and others. */
const BRACKET = 5;
const ANGLE = 2;
const HEAVY =
  /=>|\*\*|[?:]|\.(?!\d)|(?<![=!<>])=(?!=)|\b(?:else|new|if|for|while|do|yield|keyof|readonly|unique|infer)\b/;
const LIGHT = 0.2;
const LIGHTER = /[!~+\-*/%&|^=>@#\\`]|\b(?:typeof|void|await|delete|async|as|satisfies|in|instanceof)\b/;
const OTHERS = /[()[\]{}]|[,;]|\n[^\S\n]*(?:const|let|var|export)\b|<(?!\/)|\bextends\b/;
const TOKEN = new RegExp(`${OTHERS.source}|(${HEAVY.source})|${LIGHTER.source}`, "g");

/** Returns how deep the brackets of a text are nested, those in strings included. */
export function bracketDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/[()[\]{}]/g)) {
    depth = "([{".includes(bracket) ? depth + 1 : Math.max(0, depth - 1);
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

/** Says why a cell is nested too deeply to be parsed, by a linear scan; undefined for other cells. */
export function nestingProblem(source: string): string | undefined {
  const depth = bracketDepth(source);
  if (depth > MAX_BRACKETS)
    return `The cell has brackets ${depth} deep, at most ${MAX_BRACKETS}. Split it into functions or cells.`;
  /** For each open bracket: what a comma ends, what the end of a statement ends, and what only the bracket ends. */
  const levels: [number, number, number][] = [[0, 0, 0]];
  let total = 0;
  for (const [token, heavy] of source.matchAll(TOKEN)) {
    const add = (slot: 0 | 1 | 2, weight: number) => {
      levels.at(-1)![slot] += weight;
      total += weight;
    };
    const end = (slot: 0 | 1 | 2) => add(slot, -levels.at(-1)![slot]);
    if ("([{".includes(token)) {
      levels.push([0, 0, 0]);
      add(2, BRACKET);
    } else if (")]}".includes(token)) {
      for (const slot of [0, 1, 2] as const) end(slot);
      if (levels.length > 1) levels.pop();
      add(0, LIGHT);
    } else if (token === ",") end(0);
    else if (token === ";" || token.startsWith("\n")) {
      end(0);
      end(1);
    } else if (token === "<") add(1, ANGLE);
    else if (token === "else") add(2, 1);
    else if (token === "extends") add(0, BRACKET);
    else add(0, heavy === undefined ? LIGHT : 1);
    if (total > MAX_NESTED)
      return `The cell has more than ${MAX_NESTED} nested operators in one statement. Split it into several statements.`;
  }
  return undefined;
}
