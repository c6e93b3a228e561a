import { expect, test } from "vitest";
import { errorColor, errorShare, neutral, series } from "../../src/display/index.ts";
import { figures } from "../../src/display/palette.ts";

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

const times = (matrix: Matrix, [a, b, c]: Triple): Triple =>
  matrix.map(([x, y, z]) => x * a + y * b + z * c) as unknown as Triple;

function linear(hex: string): Triple {
  return [1, 3, 5].map(at => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;
}

const xyz: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];

function labOf(color: Triple): Triple {
  const white = [0.95047, 1, 1.08883];
  const [x, y, z] = times(xyz, color).map((value, index) => {
    const share = value / white[index]!;
    return share > 216 / 24_389 ? Math.cbrt(share) : ((24_389 / 27) * share + 16) / 116;
  }) as unknown as Triple;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const degrees = Math.PI / 180;

/** How different two colours look (CIEDE2000). */
function ciede2000([l1, a1, b1]: Triple, [l2, a2, b2]: Triple): number {
  const mean = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const stretch = 1.5 - 0.5 * Math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7));
  const [c1, c2] = [Math.hypot(a1 * stretch, b1), Math.hypot(a2 * stretch, b2)];
  const hue = (a: number, b: number) => (Math.atan2(b, a * stretch) / degrees + 360) % 360;
  const [h1, h2] = [hue(a1, b1), hue(a2, b2)];
  const turn = h2 - h1 - 360 * Math.round((h2 - h1) / 360);
  const h = (h1 + turn / 2 + 360) % 360;
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const t =
    1 -
    0.17 * Math.cos((h - 30) * degrees) +
    0.24 * Math.cos(2 * h * degrees) +
    0.32 * Math.cos((3 * h + 6) * degrees) -
    0.2 * Math.cos((4 * h - 63) * degrees);
  const dl = (l2 - l1) / (1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2));
  const dc = (c2 - c1) / (1 + 0.045 * c);
  const dh = (2 * Math.sqrt(c1 * c2) * Math.sin((turn / 2) * degrees)) / (1 + 0.015 * c * t);
  const bend =
    -2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7)) * Math.sin(60 * degrees * Math.exp(-(((h - 275) / 25) ** 2)));
  return Math.sqrt(dl * dl + dc * dc + dh * dh + bend * dc * dh);
}

/** What is seen without one kind of cone (G. Machado, M. Oliveira, L. Fernandes, 2009). */
const eyes: { [kind: string]: Matrix } = {
  "all three kinds of cone": [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  "no red cones": [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  "no green cones": [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};

const seenAs = (hex: string, eye: Matrix) =>
  labOf(times(eye, linear(hex)).map(value => Math.min(1, Math.max(0, value))) as unknown as Triple);

function least(colors: readonly string[], eye: Matrix): number {
  const labs = colors.map(color => seenAs(color, eye));
  return Math.min(...labs.flatMap((one, index) => labs.slice(index + 1).map(other => ciede2000(one, other))));
}

test("the measure of difference agrees with a published pair", () => {
  expect(ciede2000([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 3);
});

test.each([
  ["all three kinds of cone", 29],
  ["no red cones", 10],
  ["no green cones", 10],
])("series are told apart by eyes with %s", (kind, enough) => {
  expect(least(series, eyes[kind]!)).toBeGreaterThan(enough);
  expect(least([series[0], series[1], series[2], neutral], eyes[kind]!)).toBeGreaterThan(5);
});

test("errors have the colours of the ramp on a logarithmic scale from 0.1 % to 10 %", () => {
  expect([0, 0.001, 0.01, 0.1, 1].map(error => errorColor(error).toUpperCase())).toEqual([
    "#F8F0D6",
    "#F8F0D6",
    "#F4AD67",
    "#6F0D19",
    "#6F0D19",
  ]);
  expect(errorShare(Math.sqrt(0.001 * 0.01))).toBeCloseTo(0.25, 12);
  expect(errorShare(Number.NaN)).toBe(0);
});

test("errors get darker on a light ground and brighter on a dark one, for every eye", () => {
  for (const eye of Object.values(eyes)) {
    const lightness = (ramp: readonly string[]) => ramp.map(color => seenAs(color, eye)[0]);
    const light = lightness(figures.light.error);
    const dark = lightness(figures.dark.error);
    expect(light).toEqual(light.toSorted((a, b) => b - a));
    expect(dark).toEqual(dark.toSorted((a, b) => a - b));
  }
});

test("phases differ in hue alone, and close the circle", () => {
  for (const { phase } of [figures.light, figures.dark]) {
    const brightness = phase.map(color => seenAs(color, eyes["all three kinds of cone"]!)[0]);
    expect(Math.max(...brightness) - Math.min(...brightness)).toBeLessThan(6);
    expect(phase[0]).toBe(phase.at(-1));
    expect(new Set(phase).size).toBe(12);
  }
});
