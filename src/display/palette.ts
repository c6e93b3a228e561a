/** Categorical colours by ground, in the order in which series take them; `either` has a contrast of 3:1 on both. */
export const categories = {
  light: [
    ...["#155ec1", "#cb5e35", "#06a672", "#b45386", "#c08b01"],
    ...["#45297c", "#4088b3", "#6d1023", "#55572a", "#545862"],
  ],
  dark: [
    ...["#5b8ef0", "#f28a3c", "#7fcf9f", "#d48bb5", "#f2d75a"],
    ...["#8d66bd", "#a9e6f5", "#d0392f", "#8a9562", "#6f7680"],
  ],
  either: [
    ...["#155ec1", "#cb5e35", "#06a672", "#b45386", "#c08b01"],
    ...["#8d66bd", "#4088b3", "#d0392f", "#8a9562", "#6f7680"],
  ],
} as const;

/** Categorical colours of cards: told apart by colour-blind readers, and legible on white as on black. */
export const series = ["#155ec1", "#cb5e35", "#06a672", "#b45386"] as const;

/** Neutral colours of figures by ground; `grid` is text at 0.12, which suits any ground. */
export const neutrals = {
  light: { ground: "#ffffff", text: "#1b1f24", textLesser: "#57606a", axis: "#868e96" },
  dark: { ground: "#111111", text: "#ececee", textLesser: "#aab0b7", axis: "#757c84" },
} as const;

/** Neutral colour of cards: axes, rest bars, cancelled work. Legible on white as on #111. */
export const neutral = "#767676";

/** Lines and empty bars: faint on any background. */
export const faint = "rgba(128,128,128,0.3)";

/** Text on an opaque ground: 13:1 and more. */
export const ink = { onLight: neutrals.light.text, onDark: neutrals.dark.text } as const;

/** Colours of states; a word always stands beside the colour. */
export const tone = { active: series[0], bad: series[1], good: series[2], idle: neutral } as const;

/** A name of `tone`. */
export type Tone = keyof typeof tone;
