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

/** Colours of states and errors by ground: phases around an OKLCH wheel from 0 on, errors from small to large. */
export const figures = {
  light: {
    phase: [
      ...["#5e91d2", "#8884d0", "#a879bd", "#bf729e", "#c97078", "#c77753", "#b68436"],
      ...["#999237", "#709e56", "#3da47d", "#04a3a3", "#299cc2", "#5e91d2"],
    ],
    error: [
      ...["#f8f0d6", "#f7e3bd", "#f5d6a3", "#f5c186", "#f4ad67", "#e57f49", "#d34f2a", "#a02f22", "#6f0d19"],
    ],
    ...{ sphere0: "#ffffff", sphere1: "#f3f5f8", sphere2: "#dde3ea", edge: "#a4adb7", guide: "#8b949e" },
    ...{ casing: "#7d8690", wash: "#f6f7f9", box: "#ffffff", onBox: "#1b1f24" },
  },
  dark: {
    phase: [
      ...["#7baff2", "#a5a2f0", "#c796dd", "#df8fbd", "#ea8e95", "#e79570", "#d6a256"],
      ...["#b7b057", "#8dbc73", "#5fc39b", "#3dc2c2", "#4fbbe1", "#7baff2"],
    ],
    error: [
      ...["#372b21", "#4b3325", "#603a29", "#7b422e", "#974a32", "#c05f32", "#eb762f", "#f8b062", "#ffe891"],
    ],
    ...{ sphere0: "#31373f", sphere1: "#20242a", sphere2: "#15181b", edge: "#5b636c", guide: "#7d858e" },
    ...{ casing: "#8a929b", wash: "#1b1e22", box: "#111111", onBox: "#ececee" },
  },
} as const;

/** Neutral colour of cards: axes, rest bars, cancelled work. Legible on white as on #111. */
export const neutral = "#767676";

/** Lines and empty bars: faint on any background. */
export const faint = "rgba(128,128,128,0.3)";

/** Colours of states; a word always accompanies the colour. */
export const tone = { active: series[0], bad: series[1], good: series[2], idle: neutral } as const;

export type Tone = keyof typeof tone;

/** The errors at the ends of the ramp: the same for every device and day, so pictures can be compared. */
export const errorDomain = [0.001, 0.1] as const;

/** Returns the place of an error on the logarithmic ramp, from 0 (0.1 % and less) to 1 (10 % and more). */
export function errorShare(error: number): number {
  const [least, most] = errorDomain;
  return Math.min(1, Math.max(0, Math.log(error / least) / Math.log(most / least) || 0));
}

/** Returns the colour of an error on a light ground, as `#rrggbb`: the nearest stop of the ramp. */
export const errorColor = (error: number): string =>
  figures.light.error[Math.round(errorShare(error) * (figures.light.error.length - 1))]!;
