/** Relative luminance of a colour `#rrggbb`: 0 for black, 1 for white (WCAG 2). */
export function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map(at => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map(value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** Contrast of two colours `#rrggbb`, from 1 to 21 (WCAG 2): text needs 4.5. */
export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

const inkOn = (color: string) =>
  contrast(color, "#000000") >= contrast(color, "#ffffff") ? "#000000" : "#ffffff";

/** Returns black or white, whichever is more legible, for each colour of a ramp and each halfway to the next. */
export function inksOn(ramp: readonly string[]): string[] {
  const channels = (color: string) => [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16));
  return ramp.flatMap((color, index) => {
    const next = ramp[index + 1];
    if (next === undefined) return inkOn(color);
    const other = channels(next);
    const middle = channels(color).map((value, place) => Math.round((value + other[place]!) / 2));
    return [inkOn(color), inkOn(`#${middle.map(value => value.toString(16).padStart(2, "0")).join("")}`)];
  });
}
