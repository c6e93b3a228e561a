/** Deepest brackets that a cell may have; parsers in native code end their process at some thousands. */
const MAX_BRACKETS = 1000;
/** Most operators and keywords of one statement that nest without brackets, such as `a ? b : a ? b : …`. */
const MAX_CHAIN = 5000;

const TOKEN =
  /[([{]|[)\]}]|;|\n[^\S\n]*(?:const|let|var|export)\b|\belse\b|=>|\*\*|[?<:.]|(?<![=!<>])=(?!=)|\b(?:new|if|for|while|do|yield|keyof|readonly|infer)\b/g;

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
  const levels = [{ chain: 0, elses: 0 }];
  for (const [token] of source.matchAll(TOKEN)) {
    const level = levels.at(-1)!;
    if ("([{".includes(token)) levels.push({ chain: 0, elses: 0 });
    else if (")]}".includes(token)) {
      if (levels.length > 1) levels.pop();
    } else if (token === ";" || token.startsWith("\n")) level.chain = 0;
    else if (token === "else") level.elses += 1;
    else level.chain += 1;
    if (level.chain + level.elses > MAX_CHAIN)
      return `The cell has more than ${MAX_CHAIN} nested operators in one statement. Split it into several statements.`;
  }
  return undefined;
}
