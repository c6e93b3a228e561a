const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Letters, Greek, mathematical symbols and box drawing: each takes one column. */
const NARROW = /^[\x20-\u02ff\u0370-\u03ff\u2010-\u27ff]*$/;

/** Returns how many columns a string takes in letters of one width; Chinese, Japanese and Korean ones and pictures take two. */
export function textWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
