import { parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";
import { narrowed, patched } from "./narrowed.ts";
import { closedLoader, listener } from "./renderer.ts";

/** Place of a chart's picture in a page; its specification comes next, as data of a script. */
const picture = "figure[data-chart]";

/** Charts are drawn when they are so near to what is seen. */
const margin = "400px";

/** Charts that have more live than in their picture: a slider. */
const larger = /"input":"range"/;

/** Whether a chart gets another height, with more in it or laid out again: it is drawn before somebody scrolls to it. */
const changesHeight = (figure: Element) =>
  larger.test(figure.nextElementSibling?.textContent ?? "") ||
  Array.from(figure.querySelectorAll("img, svg")).some(
    still => Number(still.getAttribute("width")) * legibleShare > figure.clientWidth,
  );

/** Draws the charts of a page over their pictures as they come into sight. A picture stays where that fails. */
export function drawPage(): void {
  const figures = [...(globalThis.document?.querySelectorAll?.<HTMLElement>(picture) ?? [])];
  if (figures.length === 0) return;
  const tooltip = pageTooltip();
  const draw = async (figure: HTMLElement) => {
    const still = [...figure.children];
    try {
      await drawFigure(figure, JSON.parse(figure.nextElementSibling?.textContent ?? ""), tooltip);
    } catch {
      figure.replaceChildren(...still);
    }
  };
  const sight = new IntersectionObserver(
    entries => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting) {
          sight.unobserve(target);
          void draw(target as HTMLElement);
        }
    },
    { rootMargin: margin },
  );
  for (const figure of figures)
    if (changesHeight(figure)) void draw(figure);
    else sight.observe(figure);
}

/** Maximum number of layouts that fit a chart to its place. */
const maxRounds = 4;
/** Pixels of a place below which a chart is drawn as it says itself for narrow pages. */
const narrowRoom = 600;
/** A chart that is smaller by no more than this is legible, and is only scaled. */
const legibleShare = 0.8;

/** Draws a specification in an element of a page, laid out again if it is wider. Expressions are interpreted. */
export async function drawFigure(
  figure: HTMLElement,
  given: object,
  tooltip: ReturnType<typeof pageTooltip>,
): Promise<void> {
  const logger = listener([]);
  const room = figure.clientWidth;
  let spec = given as { [member: string]: unknown };
  const { narrow } = Object(spec.usermeta) as { narrow?: object };
  if (narrow && room < narrowRoom) spec = patched(spec, narrow) as typeof spec;
  for (let round = 1; ; round++) {
    const compiled = compile(structuredClone(spec) as unknown as TopLevelSpec, { logger }).spec;
    figure.replaceChildren();
    const view = new View(parse(compiled, undefined, { ast: true }), {
      ...{ renderer: "svg", expr: expressionInterpreter, loader: closedLoader, logger },
    });
    await view
      .tooltip((_, event, __, value) => {
        if (event) tooltip(value, event);
      })
      .initialize(figure)
      .hover()
      .runAsync();
    const width = Number(figure.querySelector("svg")?.getAttribute("width"));
    const next = room < width * legibleShare && round < maxRounds ? narrowed(spec, room, width) : spec;
    if (next === spec) break;
    view.finalize();
    spec = next;
  }
  listenToKeys(figure, tooltip);
}

const gap = 14;

function fill(box: HTMLElement, value: unknown): void {
  const rows = typeof value === "object" && value !== null ? Object.entries(value) : [["", value]];
  const cells = rows.flatMap(([name, shown]) =>
    [String(name), String(shown)].map((text, place) => {
      const cell = document.createElement(place === 0 ? "dt" : "dd");
      cell.textContent = text;
      return cell;
    }),
  );
  box.replaceChildren(...cells);
}

/** Makes the one tooltip of a page: it shows a value beside a point, and nothing for `null`. */
export function pageTooltip(): (value: unknown, at: { clientX: number; clientY: number }) => void {
  const box = document.createElement("dl");
  box.className = "chart-tooltip";
  box.role = "status";
  box.hidden = true;
  document.body.append(box);
  return (value, { clientX, clientY }) => {
    box.hidden = value === null || value === undefined || value === "";
    if (box.hidden) return;
    fill(box, value);
    const { width, height } = box.getBoundingClientRect();
    const place = (at: number, size: number, room: number) =>
      `${Math.max(0, at + gap + size > room ? at - gap - size : at + gap)}px`;
    box.style.left = place(clientX, width, innerWidth);
    box.style.top = place(clientY, height, innerHeight);
  };
}

type Item = { tooltip?: unknown; datum?: { label?: unknown } };

const legendNames = ".role-legend-symbol:not([pointer-events=none]) path";

const itemOf = (element: Element) => ((element as { __data__?: Item }).__data__ ?? {}) as Item;

function centreOf(element: Element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { clientX: left + width / 2, clientY: top + height / 2 };
}

const send = (element: Element, type: string) =>
  element.dispatchEvent(new PointerEvent(type, { bubbles: true, ...centreOf(element) }));

const steps: { readonly [key: string]: (place: number, last: number) => number } = {
  ArrowRight: (place, last) => Math.min(place + 1, last),
  ArrowDown: (place, last) => Math.min(place + 1, last),
  ArrowLeft: place => Math.max(place - 1, 0),
  ArrowUp: place => Math.max(place - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/** Makes a chart usable by keyboard: Tab reaches names of legends, arrows the marks, Enter presses, Escape leaves. */
function listenToKeys(figure: HTMLElement, showTooltip: ReturnType<typeof pageTooltip>): void {
  let current: SVGElement | undefined;
  const pressed = new Set<string>();
  /** Vega recreates elements when the chart changes its size. */
  const nameLegend = () => {
    for (const name of figure.querySelectorAll(`${legendNames}:not([tabindex])`)) {
      const label = String(itemOf(name).datum?.label ?? "");
      name.setAttribute("tabindex", "0");
      name.setAttribute("role", "button");
      name.setAttribute("aria-pressed", String(pressed.has(label)));
      name.setAttribute("aria-label", label);
    }
  };
  nameLegend();
  new MutationObserver(nameLegend).observe(figure, { childList: true, subtree: true });
  figure.addEventListener("click", event => {
    const target = event.target as Element;
    if (!target.matches(legendNames)) return;
    const label = target.getAttribute("aria-label") ?? "";
    if (!pressed.delete(label)) pressed.add(label);
    target.setAttribute("aria-pressed", String(pressed.has(label)));
  });
  const leave = () => {
    if (current) send(current, "pointerout");
    current = undefined;
    showTooltip(null, { clientX: 0, clientY: 0 });
  };
  const goTo = (mark: SVGElement) => {
    leave();
    current = mark;
    mark.setAttribute("tabindex", "-1");
    mark.focus();
    send(mark, "pointerover");
    showTooltip(itemOf(mark).tooltip, centreOf(mark));
  };
  figure.addEventListener("keydown", event => {
    const { key } = event;
    const target = event.target as Element;
    if (target.matches("input")) return;
    if (target.matches(legendNames)) {
      if (key !== "Enter" && key !== " ") return;
      send(target, "click");
    } else if (key === "Escape") {
      leave();
      figure.focus();
    } else {
      const step = steps[key];
      const marks = [...figure.querySelectorAll<SVGElement>("[role=graphics-symbol]")].filter(
        mark => itemOf(mark).tooltip,
      );
      if (!step || marks.length === 0) return;
      goTo(marks[step(current ? marks.indexOf(current) : -1, marks.length - 1)]!);
    }
    event.preventDefault();
  });
  figure.addEventListener("focusout", leave);
}
