const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Letters, Greek, mathematical symbols and box drawing: each takes one column. */
const NARROW = /^[\x20-\u02ff\u0370-\u03ff\u2010-\u27ff]*$/;

const SEGMENTER = new Intl.Segmenter();

/** Returns the characters of a string as they are seen. */
export function charactersOf(text: string): readonly string[] {
  return NARROW.test(text) ? text.split("") : Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
}

/** Returns the columns that a string takes in a monospaced font. Chinese, Japanese and Korean characters and pictures take two. */
export const textWidth = (text: string): number =>
  NARROW.test(text)
    ? text.length
    : charactersOf(text).reduce((sum, one) => sum + (WIDE.test(one) ? 2 : 1), 0);
