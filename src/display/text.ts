/** Maximum characters shown of one text from outside, by default. */
const defaultTextLimit = 200;

const unseen = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu;
const piledMarks = /(\p{M}{4})\p{M}+/gu;
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

function nameOf(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "␡";
  return `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
}

/** Makes invisible characters visible: no text steers a terminal or turns a line around. Tabs and line breaks stay. */
export function visible(text: string): string {
  return text.replace(unseen, nameOf).replace(piledMarks, "$1");
}

/** Returns the first or the last `max` code points of a string: no letter is cut from its marks, and no joined picture. */
function part(text: string, max: number, end: "first" | "last"): string {
  const near = end === "first" ? text.slice(0, 2 * max + 64) : text.slice(-2 * max - 64);
  const characters = Array.from(new Intl.Segmenter().segment(near), ({ segment }) => segment);
  let left = max;
  const kept = (end === "first" ? characters : characters.reverse()).filter(character => {
    left -= Array.from(character).length;
    return left >= 0;
  });
  if (end === "last") return kept.reverse().join("");
  return kept.join("") || Array.from(near).slice(0, max).join("");
}

const fits = (text: string, max: number) =>
  text.length <= max || (text.length <= 2 * max && Array.from(text).length <= max);

/** Shortens a string to `max` characters, the last of them an ellipsis. */
export const clip = (text: string, max: number = defaultTextLimit): string =>
  fits(text, max) ? text : `${part(text, max - 1, "first")}…`;

/** Shortens a string to `max` characters by leaving out its middle. */
export function clipMiddle(text: string, max: number): string {
  if (fits(text, max)) return text;
  const head = Math.ceil((max - 1) / 2);
  return `${part(text, head, "first")}…${part(text, max - 1 - head, "last")}`;
}

/** Makes one safe line of a string from outside, for a terminal: bounded, nothing invisible, no line breaks. */
export function singleLine(value: unknown, max: number = defaultTextLimit): string {
  return clip(visible(clip(String(value), max).replace(/\s+/g, " ")), max);
}

export function terminalWidth(text: string): number {
  let cells = 0;
  for (const character of text)
    if (!/\p{M}|\u200c|\u200d/u.test(character)) cells += wide.test(character) ? 2 : 1;
  return cells;
}

export function pad(text: string, width: number, align: "left" | "right" = "left"): string {
  const gap = Math.max(0, width - terminalWidth(text));
  return align === "right" ? " ".repeat(gap) + text : text + " ".repeat(gap);
}

export type Missing = false | null | undefined | "" | 0;

/** Returns a list without what is missing. */
export const present = <Entry>(entries: readonly (Entry | Missing)[]) =>
  entries.filter(Boolean) as Exclude<Entry, Missing>[];

/** Joins words by middle dots, without those that are missing. */
export const dotted = (...words: readonly (string | Missing)[]) => present(words).join(" · ");

/** Returns a text with each line clipped to `columns`, at least 30. */
export const clipLines = (lines: readonly string[], columns: number) =>
  lines
    .flatMap(line => line.split("\n"))
    .map(line => clip(line, Math.max(30, Math.floor(columns))))
    .join("\n");
