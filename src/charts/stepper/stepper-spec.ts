import { present, singleLine } from "../../display/index.ts";
import { asIs, type Channels, clampPixels, inline, mark, only, pixels } from "../channels.ts";
import { figureRoles, inked, neutral, series } from "../roles.ts";
import { fonts } from "../vega-lite.ts";
import { circuitView } from "./circuit-view.ts";
import type { Stepper } from "./execution.ts";
import { sphereRows, spheresView, stateRows, statesView } from "./state-views.ts";

const MAX_INSTRUCTION = 60;
const NARROW = 344;
const GAP = 24;
const ACROSS = 3;
const STILLS_ACROSS = 2;
/** The step that the slider is at. */
const CURRENT = "(slider.step ? slider.step[0] : 0)";

/** Draws an execution with a slider over its steps, and for narrow pages the same with its parts below each other. */
export function stepperSpec(stepper: Stepper) {
  const { frames, options } = stepper;
  const width = clampPixels(options.width ?? 720, 420);
  const last = frames.length - 1;
  const hasState = frames.some(({ amplitudes, noisy }) => amplitudes !== null || noisy !== null);
  const state = hasState ? (options.state ?? "both") : "none";
  const hasBars = state === "both" || state === "amplitudes";
  const hasSpheres = state === "both" || state === "bloch";
  const rows = hasBars ? stateRows(stepper) : [];
  const views = (width: number, isNarrow: boolean) => {
    const half = isNarrow || !hasBars || !hasSpheres ? width : Math.floor((width - GAP) / 2);
    const states = present([
      hasBars && statesView(rows, half, CURRENT),
      hasSpheres && spheresView(stepper, half, ACROSS, CURRENT),
    ]);
    return {
      vconcat: present([
        sliderView(last, width, isNarrow, options.step ?? Math.min(1, last)),
        circuitView(stepper, width, CURRENT),
        ...(isNarrow ? states : states.length > 0 ? [{ hconcat: states, spacing: GAP }] : []),
        stepper.lines.length > 0 &&
          programView(stepper, width, `[${frames.map(({ line }) => line ?? 0)}][${CURRENT}]`),
      ]),
      spacing: 12,
    };
  };
  return {
    datasets: {
      steps: captions(stepper),
      ...(hasBars && { states: rows }),
      ...(hasSpheres && { spheres: sphereRows(stepper, ACROSS) }),
    },
    ...views(width, false),
    usermeta: { narrow: views(NARROW, true) },
  };
}

const BUTTON = { width: 36, height: 32 } as const;
const TRACK = 56;
const TOUCH = 44;

/** Draws a slider with a button at either end. As a selection, it moves in every front end; a page binds keys to it. */
function sliderView(last: number, width: number, isNarrow: boolean, first: number) {
  const end = isNarrow ? width : Math.round(width * 0.62);
  const [from, to] = [TRACK, end - TRACK];
  const place = (step: string) => `${from} + ${to - from} * ${step} / ${Math.max(1, last)}`;
  const middle = TOUCH / 2;
  const half = (to - from) / Math.max(1, last) / 2;
  const steps = Array.from({ length: last + 1 }, (_, step) => {
    const at = from + 2 * half * step;
    return { step, at, left: Math.max(from - 12, at - half), right: Math.min(to + 12, at + half) };
  });
  const knob = (type: string, look: object, x: string, channels: Channels = {}) =>
    mark(
      type,
      look,
      { x: pixels("x"), y: middle, ...channels },
      { ...inline(), transform: [{ calculate: x, as: "x" }] },
    );
  const track = { strokeWidth: 3, strokeCap: "round" };
  const [x, y] = isNarrow ? [0, TOUCH + 6] : [end + 20, -4];
  const buttons = [
    { x: 0, middle: BUTTON.width / 2, by: -1, shape: "M0.35,-0.6L-0.45,0L0.35,0.6Z" },
    { x: end - BUTTON.width, middle: end - BUTTON.width / 2, by: 1, shape: "M-0.35,-0.6L0.45,0L-0.35,0.6Z" },
  ];
  return {
    ...{ width, height: isNarrow ? TOUCH + CAPTION : TOUCH },
    layer: [
      ...captionLayers(x, y, CURRENT, last),
      mark(
        "tick",
        { orient: "vertical", color: neutral, thickness: 1, size: 5, aria: false },
        { x: pixels("at"), y: middle + 13 },
        inline(steps.length <= 50 ? steps : []),
      ),
      knob("rule", { ...track, color: neutral, opacity: 0.5 }, String(from), { x2: to }),
      knob("rule", { ...track, color: series[0] }, place(CURRENT), { x2: from }),
      knob(
        "point",
        {
          ...{ shape: "circle", size: 280, opacity: 1 },
          ...{ fill: figureRoles.box, stroke: series[0], strokeWidth: 2.5 },
        },
        place(CURRENT),
      ),
      mark(
        "rect",
        { fill: null, stroke: neutral, strokeWidth: 1, cornerRadius: 6 },
        {
          ...{ x: pixels("x"), x2: "right" },
          ...{ y: middle - BUTTON.height / 2, y2: middle + BUTTON.height / 2 },
        },
        { ...inline(buttons), transform: [{ calculate: `datum.x + ${BUTTON.width}`, as: "right" }] },
      ),
      mark(
        "point",
        { filled: true, color: inked, size: 340, opacity: 1 },
        { x: pixels("middle"), y: middle, shape: asIs("shape", "nominal") },
        inline(buttons),
      ),
      mark(
        "rect",
        { fill: "transparent", cursor: "pointer", tooltip: null },
        { x: pixels("left"), x2: "right", y: 0, y2: TOUCH, fillOpacity: 1 },
        {
          params: [
            {
              name: "slider",
              select: {
                ...{ type: "point", fields: ["step"], toggle: false, clear: false },
                on: "pointerdown, [pointerdown, window:pointerup] > pointermove",
              },
              value: [{ step: first }],
              bind: { step: { input: "range", min: 0, max: last, step: 1, name: "Step " } },
            },
          ],
          ...inline([
            ...steps.map(({ step, left, right }) => ({ step, by: 0, left, right })),
            ...buttons.map(({ x, by }) => ({ by, left: x - 4, right: x + BUTTON.width + 4 })),
          ]),
          transform: [
            {
              calculate: `datum.by == 0 ? datum.step : clamp(${CURRENT} + datum.by, 0, ${last})`,
              as: "step",
            },
          ],
        },
      ),
    ],
  };
}

const captions = ({ frames }: Stepper) =>
  frames.map(({ instruction, outcome, memory }, step) => ({
    step,
    instruction: singleLine(`${instruction}${outcome ? ` → ${outcome}` : ""}`, MAX_INSTRUCTION),
    memory: singleLine(memory, MAX_INSTRUCTION),
  }));

const CAPTION = 54;

function captionLayers(x: number, y: number, current: string, last: number) {
  const shown = {
    data: { name: "steps" },
    ...only(`datum.step == ${current}`, {
      calculate: `datum.step == 0 ? 'Start' : 'Step ' + datum.step + ' of ${last}'`,
      as: "title",
    }),
  };
  const words = (text: string, top: number, look: object) =>
    mark("text", { align: "left", baseline: "top", ...look }, { x, y: y + top, text }, shown);
  return [
    words("title", 0, { fontSize: 14, fontWeight: 600, color: inked }),
    words("instruction", 19, { fontSize: 12, font: fonts.mono, color: inked }),
    words("memory", 36, { fontSize: 12, font: fonts.mono, color: neutral }),
  ];
}

/** Draws some steps of an execution beside each other, spread evenly from its beginning to its end. */
export function stillsSpec(stepper: Stepper) {
  const { frames, options } = stepper;
  const width = Math.round((clampPixels(options.width ?? 720, 420) - GAP) / STILLS_ACROSS);
  const last = frames.length - 1;
  const count = Math.min(options.stills ?? 6, frames.length);
  const shown = Array.from({ length: count }, (_, i) => Math.round((i * last) / Math.max(1, count - 1)));
  const rows = stateRows(stepper);
  return {
    datasets: { steps: captions(stepper), states: rows },
    concat: [...new Set(shown)].map(step => ({
      vconcat: [
        { width, height: CAPTION, layer: captionLayers(0, 0, String(step), last) },
        circuitView(stepper, width, String(step)),
        ...(rows.length > 0 ? [statesView(rows, width, String(step))] : []),
      ],
      spacing: 12,
    })),
    columns: STILLS_ACROSS,
    spacing: 32,
  };
}

const MAX_LINES = 24;
const LINE_HEIGHT = 16;
const CHARACTER_WIDTH = 6.7;

/** Draws the text of a program, and marks the line that an expression names; of a long one it draws the lines around it. */
function programView({ lines }: Stepper, width: number, line: string) {
  const shown = Math.min(MAX_LINES, Math.max(1, lines.length));
  const values = lines.map((text, index) => ({
    line: index + 1,
    text: singleLine(text.replaceAll("\t", "  "), Math.floor((width - 34) / CHARACTER_WIDTH)).trimEnd(),
  }));
  const first = `clamp(${line} - ${shown / 2}, 0, ${Math.max(0, lines.length - shown)})`;
  const words = { align: "left", font: fonts.mono, fontSize: 11, baseline: "middle" };
  const numbers = { ...words, align: "right", opacity: 0.55 };
  return {
    width,
    height: shown * LINE_HEIGHT,
    ...inline(values),
    transform: [
      { calculate: `datum.line - floor(${first})`, as: "row" },
      { filter: `datum.row >= 0.5 && datum.row <= ${shown + 0.5}` },
      { calculate: "datum.row - 0.5", as: "from" },
      { calculate: "datum.row + 0.5", as: "to" },
    ],
    encoding: {
      y: {
        ...{ type: "quantitative", axis: null },
        scale: { domain: [0.5, shown + 0.5], nice: false, zero: false, reverse: true },
      },
    },
    layer: [
      mark(
        "rect",
        { color: series[0], opacity: 0.16 },
        { x: 0, x2: { value: "width" }, y: "from", y2: "to" },
        only(`datum.line == ${line}`),
      ),
      mark("text", numbers, { x: 20, y: "row", text: { field: "line", type: "quantitative" } }),
      mark("text", words, { x: 30, y: "row", text: "text" }),
    ],
  };
}
