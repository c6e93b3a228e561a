/** Categorical colours: told apart by colour-blind readers, and legible on white as on black. At most four. */
export const series = ["#0072B2", "#D55E00", "#009E73", "#CC79A7"] as const;

/** What is neither good nor bad: axes, rest bars, cancelled work. Legible on white as on #111. */
export const neutral = "#767676";

/** Lines and empty bars: faint on any background. */
export const faint = "rgba(128,128,128,0.3)";

/** Text on an opaque ground: 13:1 and more. */
export const ink = { onLight: "#1f2328", onDark: "#e8e8e8" } as const;

/** Lesser text on an opaque ground, such as a subtitle or the labels of an axis: 6:1 and more. */
export const lesserInk = { onLight: "#505860", onDark: "#b6bbc0" } as const;

/** What states look like; a word always stands beside the colour. */
export const tone = { active: series[0], bad: series[1], good: series[2], idle: neutral } as const;

/** A name of `tone`. */
export type Tone = keyof typeof tone;
