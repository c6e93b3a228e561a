/** Spaces as wide as a decimal point and as a digit. */
export const blanks = { html: { point: "\u2008", digit: "\u2007" }, text: { point: " ", digit: " " } };

/** Fills numbers of one column with spaces after them, so that their decimal points stand below each other. */
export function alignPoints(
  texts: readonly string[],
  { point, digit }: { point: string; digit: string },
): string[] {
  const decimals = texts.map(text => /\.(\d+)$/.exec(text)?.[1]?.length ?? 0);
  const max = Math.max(0, ...decimals);
  return texts.map((text, row) => {
    const lacking = max - decimals[row]!;
    const isNumber = /\d$/.test(text);
    return isNumber && lacking > 0 ? text + (lacking === max ? point : "") + digit.repeat(lacking) : text;
  });
}
