import { asIs, inline, mark, only, pixels, tips } from "../channels.ts";
import { figureRoles, inked, neutral, series } from "../roles.ts";
import { textWidth } from "../vega/metrics.ts";
import { fonts } from "../vega-lite.ts";
import type { CircuitShape, Stepper } from "./execution.ts";

const TO_COME = 0.38;
/** Draws a path in its own pixels: the square of twice the scale. */
const PATH_SIZE = 4;
/** Most pixels by which a column is wider than it must be where there is room. */
const MAX_EXTRA = 40;

const roles: { readonly [role: string]: string } = {
  ...{ gate: series[0], condition: series[1], block: series[2], loop: series[5] },
  ...{ wire: neutral, lesser: neutral, text: inked, inside: figureRoles.onBox, ground: figureRoles.box },
};

/** Draws the operations on their wires, later ones pale, around the current one, which an expression names. */
export function circuitView({ frames, circuit }: Stepper, width: number, current: string) {
  const { names, wires, columns, margin, height } = circuit;
  const room = width - margin;
  const needed = columns.reduce((sum, column) => sum + column.width, 0);
  const extra = Math.min(MAX_EXTRA, Math.max(0, (room - needed) / Math.max(1, columns.length)));
  let total = 0;
  const places = columns.map(column => {
    const from = total;
    total += column.width + extra;
    return { from, to: total };
  });
  const starts = [{ from: 0, to: 0 }, ...places].map(({ from, to }) =>
    Math.round(Math.min(Math.max(0, total - room), Math.max(0, (from + to - room) / 2))),
  );
  const shapes = columns.flatMap((column, at) => {
    const { from, to } = places[at]!;
    const { instruction } = frames[at + 1]!;
    const place = { step: at + 1, instruction, from, to, at: (from + to) / 2 };
    return column.shapes.map(shape => ({ ...shape, ...place }));
  });
  const isVisible = [
    { calculate: `[${starts}][${current}]`, as: "start" },
    { filter: `datum.from >= datum.start - 1 && datum.to <= datum.start + ${room + 1}` },
    { calculate: `datum.at - datum.start + ${margin} + (datum.x || 0)`, as: "left" },
  ];
  const colour = (field: string) => ({
    ...{ field, type: "nominal", legend: null },
    scale: { domain: [...Object.keys(roles), "none"], range: [...Object.values(roles), "none"] },
  });
  const paleIf = (test: string) => ({ condition: { test, value: TO_COME }, value: 1 });
  const isToCome = `datum.step > ${current}`;
  const tooltip = tips({ instruction: "operation" });
  const paths = (values: readonly object[], transform: readonly object[] = [], channels: object = {}) =>
    mark(
      "point",
      { size: PATH_SIZE, opacity: 1, aria: false },
      {
        ...{ x: pixels("left"), y: 0, fill: colour("fill"), stroke: colour("stroke") },
        ...{ shape: asIs("path", "nominal"), strokeWidth: asIs("width"), ...channels },
      },
      { ...inline(values), transform },
    );
  /** Texts by their look, each look a layer. */
  const texts = (all: readonly CircuitShape[], transform: readonly object[] = [], channels: object = {}) => {
    const looks = new Map<string, object[]>();
    for (const shape of all) {
      if (!("text" in shape)) continue;
      /** A name ends where its tail begins, so they never meet, whatever the font. */
      const x = shape.x - textWidth({ fontSize: shape.size }, shape.tail ?? "");
      const tail = { ...shape, x, text: shape.tail ?? "", anchor: "start", color: "lesser", weight: 400 };
      const parts = shape.tail ? [tail, { ...shape, x }] : [shape];
      for (const { text, anchor, size, weight, color, ...place } of parts) {
        if (text === "") continue;
        const align = { start: "left", end: "right" }[anchor] ?? "center";
        const look = JSON.stringify({
          ...{ align, baseline: "alphabetic", fontSize: size, fontWeight: weight },
          ...{ color: roles[color], font: fonts.words },
        });
        looks.set(look, [...(looks.get(look) ?? []), { text, left: place.x, ...place }]);
      }
    }
    const places = { x: pixels("left"), y: pixels("y"), text: "text", ...channels };
    return Array.from(looks, ([look, values]) =>
      mark("text", JSON.parse(look), places, { ...inline(values), transform }),
    );
  };
  const outlines = wires(margin, width).map(shape => ({ ...shape, left: 0 }));
  return {
    ...{ width, height },
    layer: [
      mark(
        "rect",
        { color: series[0], opacity: 0.14, cornerRadius: 5 },
        { x: pixels("left"), x2: "right", y: 0, y2: height },
        {
          ...inline(places.map((place, at) => ({ ...place, step: at + 1, at: place.from }))),
          ...only(`datum.step == ${current}`, ...isVisible, {
            calculate: "datum.left + datum.to - datum.from",
            as: "right",
          }),
        },
      ),
      paths(outlines),
      ...texts(names),
      paths(names.flatMap(shape => ("path" in shape ? [{ ...shape, left: 0 }] : []))),
      paths(
        shapes.filter(shape => "path" in shape),
        isVisible,
        {
          strokeOpacity: paleIf(isToCome),
          fillOpacity: paleIf(`${isToCome} && datum.fill != 'ground'`),
          tooltip,
        },
      ),
      ...texts(shapes, isVisible, { opacity: paleIf(isToCome), tooltip }),
    ],
  };
}
