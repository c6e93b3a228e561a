import { formatNumber, formatPercent } from "../display/format.ts";
import { blocks } from "../display/meter.ts";
import { clip, clipMiddle, pad, terminalWidth } from "../display/text.ts";
import type { Bar, Histogram } from "./histogram.ts";
import { unknownBitOrder, lines as wrapped } from "./outcome-label.ts";

const minBar = 8;
const maxBar = 48;
/** Below this width counts stand without their shares. */
const narrow = 48;

/** Draws a histogram in lines of at most `columns` characters. */
export function histogramText(
  { bars, none, title, subtitle, bits, common, unit }: Histogram,
  columns: number,
): string {
  const width = Math.max(24, Math.floor(columns));
  const heads = [title, ...subtitle].map(line => clip(line, width));
  if (bars.length === 0) return [...heads, `  ${none}`].join("\n");
  const numbers = bars.map(bar => {
    if (unit === "probabilities") return [formatPercent(bar.value)];
    return [formatNumber(bar.value), ...(width < narrow ? [] : [formatPercent(bar.share)])];
  });
  const numberWidths = numbers[0]!.map((_, index) => Math.max(...numbers.map(row => row[index]!.length)));
  const taken = numberWidths.reduce((sum, cells) => sum + cells + 2, 4);
  const longest = Math.max(...bars.map(bar => terminalWidth(bar.label)));
  const labelWidth = Math.min(longest, Math.max(6, width - taken - minBar));
  const room = Math.min(maxBar, Math.max(minBar, width - taken - labelWidth));
  const own = Math.max(...bars.filter(bar => !bar.rest).map(bar => bar.value)) || 1;
  const drawn = bars.map((bar, index) => {
    const length = pad(blocks(bar.value / own, room), room);
    const cells = numbers[index]!.map((number, column) => pad(number, numberWidths[column]!, "right"));
    return `  ${pad(clipMiddle(bar.label, labelWidth), labelWidth)}  ${[length, ...cells].join("  ")}`;
  });
  const below = [...(bits === unknownBitOrder ? [bits] : []), ...wrapped(common, width - 2)];
  return [...heads, ...drawn, ...below.map(line => `  ${line}`)].join("\n");
}

/** Returns the interval of a bar's probability; `null` where it has none. */
export function intervalText(bar: Bar, unit: Histogram["unit"]): string | null {
  if (bar.low === undefined || bar.high === undefined) return null;
  const scale = unit === "counts" ? (bar.value > 0 ? bar.share / bar.value : 0) : 1;
  return `${formatPercent(bar.low * scale)} to ${formatPercent(bar.high * scale)}`;
}
