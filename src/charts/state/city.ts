import { asIs, clampPixels, inline, mark, round, withNarrow } from "../channels.ts";
import type { Chart } from "../chart.ts";
import { figureRoles, inked, neutral } from "../roles.ts";
import {
  type DensityOptions,
  type DrawnMatrix,
  densityChart,
  MIN_ENTRY_SIZE,
  matrixEntries,
} from "./density-matrix.ts";
import { degreesOf, formatPhase, phaseColorChannel, phaseWheel, wheelRoom } from "./phase.ts";
import type { Amplitudes, ComplexMatrix } from "./reduced.ts";

const maxQubits = 4;
const MIN_NUMBER = 0.1;
const labelHeight = 13;

/** Draws up to four qubits as houses: height is size, colour is phase. Throws a `RangeError` for more. */
export function cityChart(
  state: Amplitudes | ComplexMatrix,
  options: DensityOptions = {},
): Chart<DensityOptions> {
  return densityChart(state, options, {
    max: maxQubits,
    noun: "A city",
    mark: "house",
    key: "height: |ρ|",
    spec: citySpec,
  });
}

/** Width of the towers on narrow pages, beside the wheel of phases. */
const narrowWidth = 244;

const citySpec = (drawn: DrawnMatrix) =>
  withNarrow(width => cityViews(drawn, width), clampPixels(drawn.width ?? 480, 160), narrowWidth);

function cityViews({ matrix, labels }: DrawnMatrix, width: number) {
  const { size } = matrix;
  const margin = Math.max(44, 28 + 7 * labels[0]!.length);
  const half = (width / 2 - margin) / size;
  const rise = half * 0.5;
  const tall = Math.max(90, width * 0.28);
  const { entries, largest } = matrixEntries(matrix);
  /** From the back of the city to its front. */
  entries.sort((one, other) => one.row + one.column - other.row - other.column);
  const raised = entries.map(entry => ({ ...entry, up: (entry.size / largest) * tall }));
  const above = raised.map(({ row, column, up }) => up - (row + column) * rise);
  const top = Math.max(tall - size * rise, ...above) + 8;
  const corner = (row: number, column: number) => ({
    x: width / 2 + (column - row) * half,
    y: top + (column + row) * rise,
  });
  const gap = 0.1;
  const placed = raised.map(entry => ({ ...entry, ...corner(entry.row + gap, entry.column + gap) }));
  const towers = placed.map(({ row, column, size: length, phase, x, y, up }) => {
    const text = `|${labels[row]}⟩⟨${labels[column]}|: ${length.toFixed(3)} ∠ ${formatPhase(phase)}`;
    return {
      ...{ x: round(x, 4), y: round(y, 4), phase: degreesOf(phase) },
      ...(length < MIN_ENTRY_SIZE ? { up: 0 } : { up: round(up, 4), text }),
    };
  });
  const [w, r] = [round(half * (1 - 2 * gap), 4), round(rise * (1 - 2 * gap), 4)];
  /** Paths around the rear corner of a tower's ground: its outline, and its two walls. */
  const faces = {
    all: `'M-${w},${r}l${w},${r}l${w},-${r}v-' + datum.up + 'l-${w},-${r}l-${w},${r}Z'`,
    left: `'M-${w},${r}l${w},${r}v-' + datum.up + 'l-${w},-${r}Z'`,
    right: `'M0,${2 * r}l${w},-${r}v-' + datum.up + 'l-${w},${r}Z'`,
  };
  /** Numbers and the wheel of phases need room beside the towers. */
  const isWide = width >= narrowWidth;
  const numbers = placed
    .filter(({ size: length }) => isWide && length >= MIN_NUMBER && size <= 4)
    .map(({ x, y, up, size: length }) => ({
      ...{ x: Math.round(x), y: Math.round(y - up), label: length.toFixed(2) },
    }));
  const place = ({ x, y }: { x: number; y: number }, aside: number) => ({
    x: Math.round(x + aside),
    y: Math.round(y + 9),
  });
  const every = Math.ceil(labelHeight / rise);
  const named = labels.flatMap((label, index) => (index % every > 0 ? [] : [{ label, at: index + 0.5 }]));
  const names = [
    named.map(({ label, at }) => ({ ...place(corner(at, size), 5), label: `|${label}⟩` })),
    named.map(({ label, at }) => ({ ...place(corner(size, at), -5), label: `⟨${label}|` })),
  ];
  const height = Math.round(top + 2 * size * rise + 24);
  const onPage = {
    x: { field: "x", type: "quantitative", scale: { domain: [0, width], nice: false }, axis: null },
    y: { field: "y", type: "quantitative", scale: { domain: [height, 0], nice: false }, axis: null },
  };
  const words = (values: readonly object[], look: object) =>
    mark("text", look, { ...onPage, text: "label" }, inline(values));
  const west = corner(size, 0);
  const step = [0.01, 0.02, 0.05, 0.1, 0.2].find(step => largest / step <= 6) ?? 0.25;
  const levels = Array.from({ length: Math.floor(largest / step + 0.2) + 1 }, (_, level) => level * step);
  const scale = levels.map(level => ({
    ...{ x: west.x, y: Math.round(west.y - (level / largest) * tall) },
    label: String(Number(level.toFixed(2))),
  }));
  /** The two walls behind the towers, from the west over the rear corner to the east. */
  const [reach, slope] = [size * half, size * rise];
  const walls = [
    ...scale.map(({ x, y }) => `M${x} ${y}l${reach} ${-slope}l${reach} ${slope}`),
    ...[0, 1, 2].map(
      at =>
        `M${west.x + at * reach} ${west.y - (at === 1 ? slope : 0)}V${scale.at(-1)!.y - (at === 1 ? slope : 0)}`,
    ),
    `M${west.x} ${west.y}l${reach} ${slope}l${reach} ${-slope}`,
  ].join("");
  const wall = { shape: walls, size: 4, stroke: figureRoles.guide, opacity: 0.4, strokeWidth: 1 };
  const shade = (face: string, value: string) => ({ test: `datum.face === '${face}'`, value });
  return {
    width,
    height,
    ...inline(towers),
    layer: [
      mark("point", wall, { x: 0, y: 0 }, inline()),
      mark(
        "point",
        {
          ...{ size: 4, opacity: 1 },
          ...{ stroke: figureRoles.ground, strokeWidth: 0.75, strokeJoin: "round" },
        },
        {
          ...onPage,
          shape: asIs("d", "nominal"),
          fill: {
            condition: [
              shade("none", figureRoles.wash),
              shade("left", "rgba(0,0,0,0.14)"),
              shade("right", "rgba(0,0,0,0.36)"),
            ],
            ...phaseColorChannel,
          },
          tooltip: { field: "text", type: "nominal", title: "entry" },
        },
        {
          transform: [
            { calculate: "datum.up > 0 ? ['all', 'left', 'right'] : ['none']", as: "face" },
            { flatten: ["face"] },
            {
              calculate: `datum.face === 'left' ? ${faces.left} : datum.face === 'right' ? ${faces.right} : ${faces.all}`,
              as: "d",
            },
          ],
        },
      ),
      ...[
        { stroke: figureRoles.box, strokeWidth: 3.5, strokeJoin: "round" },
        { color: figureRoles.onBox },
      ].map(look => words(numbers, { fontSize: 12, fontWeight: 600, dy: -7, ...look })),
      ...names.map((side, index) =>
        words(side, { color: inked, fontSize: size > 8 ? 9 : 11.5, align: index === 0 ? "left" : "right" }),
      ),
      words(scale, { color: neutral, fontSize: 11, align: "right", dx: -8 }),
      ...(isWide ? phaseWheel(wheelRoom - 24, wheelRoom) : []),
    ],
  };
}
