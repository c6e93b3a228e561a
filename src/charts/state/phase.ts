import { type Channels, mark, note, silent } from "../channels.ts";
import { figureRoles, neutral } from "../roles.ts";

const denominators = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64];

/** Writes an angle in radians as a part of π: `0`, `π/2`, `−3π/4`, `2π`, `0.37π`. */
export function formatAngle(radians: number): string {
  const turns = radians / Math.PI;
  const size = Math.abs(turns);
  if (size < 5e-7) return "0";
  const sign = turns < 0 ? "−" : "";
  const of = denominators.find(of => Math.abs(size * of - Math.round(size * of)) < 5e-7 * of);
  const places = of && Math.round(size * of);
  if (!places) return `${sign}${size.toFixed(2)}π`;
  return `${sign}${places === 1 ? "" : places}π${of === 1 ? "" : `/${of}`}`;
}

/** Writes a phase from above −π to π as a part of π: `−3π/4`, `π`. */
export function formatPhase(radians: number): string {
  const turns = radians / Math.PI;
  const part = Math.abs(turns) > 1 ? turns - 2 * Math.round(turns / 2) : turns;
  return formatAngle((1 + part < 5e-7 ? 1 : part) * Math.PI);
}

/** Whether values are angles: multiples of a fraction of π such as π/5, π/48 or π/64, of which not all are 0. */
export const areAngles = (values: readonly unknown[]): boolean =>
  values.every(value => value === null || isWhole((Number(value) * 960) / Math.PI)) &&
  values.some(value => value !== null && value !== 0);

const isWhole = (value: number) => Math.abs(value - Math.round(value)) < 1e-7;

export function degreesOf(radians: number): number {
  const degrees = Math.round(((radians * 180) / Math.PI) * 10) / 10;
  return ((degrees % 360) + 360) % 360;
}

/** Colours phases around the wheel; {@link phaseWheel} is its legend. */
export const phaseColorChannel = {
  field: "phase",
  type: "quantitative",
  scale: {
    domain: Array.from({ length: 13 }, (_, place) => 30 * place),
    range: figureRoles.phase,
    interpolate: "rgb",
  },
  legend: null,
} as const;

const radius = 19;
/** Pixels that a wheel with its labels takes on each side of its middle. */
export const wheelRoom = radius + 24;

/** Draws the legend of phases as layers of a view: a wheel, with its middle at a distance in pixels right of the area. */
export function phaseWheel(beside: number, y: number) {
  const label = (text: string, dx: number, dy: number) =>
    note(text, "width", y + dy, { xOffset: beside + dx });
  const theta = { field: "from", type: "quantitative", scale: null };
  const steps = [
    { calculate: "(84 - datum.phase) * PI / 180", as: "from" },
    { calculate: "datum.from + 0.21", as: "to" },
  ];
  return [
    mark(
      "arc",
      { innerRadius: radius - 7, outerRadius: radius, xOffset: beside, aria: false },
      { x: { value: "width" }, y, theta, theta2: "to", color: phaseColorChannel, ...silent },
      { data: { sequence: { start: 0, stop: 360, step: 10, as: "phase" } }, transform: steps },
    ),
    label("0", radius + 9, 0),
    label("π", -radius - 9, 0),
    label("π/2", 0, -radius - 9),
    label("−π/2", 0, radius + 9),
  ];
}

/** Draws a dial with a hand in the direction of each row's `phase`, and its circle, at some places. */
export function dialMarks(radius: number, places: Channels, more: object = {}) {
  const dial = { filled: false, opacity: 1, size: (2 * radius) ** 2 };
  const hand = { shape: "M0,0L1,0", strokeWidth: 2.5, angle: { expr: "-datum.phase" } };
  return [
    mark("point", { ...dial, shape: "circle", color: neutral, strokeWidth: 1 }, places, more),
    mark("point", { ...dial, ...hand }, { ...places, color: phaseColorChannel }, more),
  ];
}
