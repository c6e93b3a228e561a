/** Advance widths of Inter Regular for the characters from space to tilde, in thousandths of the font size. */
const inter = [
  281, 288, 466, 633, 642, 982, 644, 300, 365, 365, 501, 662, 288, 460, 288, 360, 631, 407, 610, 618, 646,
  593, 620, 566, 619, 620, 288, 302, 662, 662, 662, 511, 966, 690, 654, 730, 722, 601, 590, 746, 743, 269,
  571, 672, 565, 903, 753, 765, 639, 765, 644, 642, 646, 744, 690, 985, 682, 679, 629, 365, 360, 365, 471,
  456, 323, 562, 612, 571, 612, 583, 370, 613, 591, 242, 242, 549, 242, 876, 591, 600, 612, 612, 376, 528,
  327, 591, 562, 818, 546, 562, 552, 426, 333, 426, 662,
];
const boldness = 1.035;
const mono = 602;

/** What of a text mark decides how wide it is. */
export interface TextStyle {
  font?: string | undefined;
  fontSize?: number | undefined;
  fontWeight?: string | number | undefined;
}

/** Width in pixels of a text or number in the fonts that come with the library; there is no canvas to measure on. */
export function textWidth({ font, fontSize = 11, fontWeight }: TextStyle, shown: unknown): number {
  const text = String(shown ?? "");
  let thousandths = 0;
  if (font?.includes("Mono")) thousandths = mono * Array.from(text).length;
  else for (const character of text) thousandths += inter[character.charCodeAt(0) - 32] ?? 620;
  const bold = fontWeight === "bold" || Number(fontWeight) >= 600;
  return (thousandths * (bold ? boldness : 1) * fontSize) / 1000;
}
