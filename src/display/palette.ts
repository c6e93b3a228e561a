/** Categorical colours: told apart by colour-blind readers, and legible on white as on black. At most four. */
export const series = ["#0072B2", "#D55E00", "#009E73", "#CC79A7"] as const;

/** What is neither good nor bad: axes, rest bars, cancelled work. Legible on white as on #111. */
export const neutral = "#767676";

/** Lines and empty bars: faint on any background. */
export const faint = "rgba(128,128,128,0.3)";

/** What states look like; a word always stands beside the colour. */
export const tone = { active: series[0], bad: series[1], good: series[2], idle: neutral } as const;

/** A name of `tone`. */
export type Tone = keyof typeof tone;
