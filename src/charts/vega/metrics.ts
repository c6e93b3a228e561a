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
/** Chinese, Japanese and Korean characters and pictures are as wide as they are high. */
const square = 1000;
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
/** Marks and joiners stand over or within their neighbours. */
const weightless = /\p{M}|\u200c|\u200d/u;

export interface TextStyle {
  font?: string | undefined;
  fontSize?: number | undefined;
  fontWeight?: string | number | undefined;
}

function wrapText(text: string, width: number, style: TextStyle = {}): string[] {
  const lines = [""];
  for (const word of text.split(/ (?!%)/)) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (textWidth(style, longer) > width && lines.at(-1) !== "") lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** Breaks remarks with dots between them into lines of limited width, between remarks where it can. */
export function wrapRemarks(given: readonly string[], width: number, style: TextStyle = {}): string[] {
  const lines: string[] = [];
  for (const remark of given.flatMap(line => line.split(" · "))) {
    const longer = `${lines.at(-1)} · ${remark}`;
    if (lines.length > 0 && textWidth(style, longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(...wrapText(remark, width, style));
  }
  return lines;
}

/** Returns the width in pixels of a string or number in the fonts that come with the library; there is no canvas to measure on. */
export function textWidth({ font, fontSize = 11, fontWeight }: TextStyle, shown: unknown): number {
  const text = String(shown ?? "");
  let thousandths = 0;
  const isMono = font?.includes("Mono");
  for (const character of text)
    if (character >= " " && character <= "~")
      thousandths += isMono ? mono : inter[character.charCodeAt(0) - 32]!;
    else if (!weightless.test(character)) thousandths += wide.test(character) ? square : isMono ? mono : 620;
  const bold = fontWeight === "bold" || Number(fontWeight) >= 600;
  return (thousandths * (bold ? boldness : 1) * fontSize) / 1000;
}

const symbols: { readonly [name: string]: string } = Object.fromEntries(
  "alpha α beta β gamma γ delta δ epsilon ε eta η theta θ kappa κ lambda λ mu µ nu ν pi π rho ρ sigma σ tau τ phi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Phi Φ Psi Ψ Omega Ω langle ⟨ rangle ⟩ dagger † otimes ⊗ times × cdot · pm ± sqrt √ infty ∞ hbar ħ"
    .split(" ")
    .flatMap((word, index, words) => (index % 2 === 0 ? [[word, words[index + 1]!] as const] : [])),
);
const raised = "0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺-⁻−⁻n ⁿi ⁱ".replaceAll(" ", "");
const lowered = "0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊-₋i ᵢj ⱼn ₙm ₘk ₖ".replaceAll(" ", "");

/** Returns characters as small ones, or with their sign where one of them is not small. */
const small = (sign: string, letters: string, pairs: string) => {
  const found = [...letters].map(letter => pairs[2 * Math.floor(pairs.indexOf(letter) / 2) + 1]);
  return [...letters].every(letter => pairs.indexOf(letter) % 2 === 0) ? found.join("") : sign + letters;
};

/** Writes the TeX between signs of dollar as plain characters: `$\theta_0$`, `$10^{-3}$`, `$|0\rangle$`; "$5 to $6" is none. */
export function plainTex(text: string): string {
  return text.replace(/\$(?!\s)([^$]+)(?<!\s)\$(?!\d)/g, (_, tex: string) =>
    tex
      .replace(/\\([A-Za-z]+) ?/g, (whole, name: string) => symbols[name] ?? whole)
      .replace(/([_^])(?:\{([^}]*)\}|(.))/g, (_, sign: string, group = "", one = "") =>
        small(sign, group + one, sign === "^" ? raised : lowered),
      )
      .replace(/-/g, "−"),
  );
}

/** Returns the size in pixels that a picture names; 0 where it names none. */
export function sizeOf(svg: string): { width: number; height: number } {
  const [, width = "0", height = "0"] =
    /^<svg[^>]*? width="([\d.]+)"[^>]*? height="([\d.]+)"/.exec(svg) ?? [];
  return { width: Number(width), height: Number(height) };
}
