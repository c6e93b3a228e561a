import { browser, type PageElement } from "./page-elements.ts";

interface Item {
  tooltip?: unknown;
  datum?: { label?: unknown };
}

/** Names of a legend that answer to a click. */
const legendNames = ".role-legend-symbol:not([pointer-events=none]) path";

const itemOf = ({ __data__ }: PageElement) => (__data__ ?? {}) as Item;

function centreOf(element: PageElement) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { clientX: left + width / 2, clientY: top + height / 2 };
}

const send = (element: PageElement, type: string) =>
  element.dispatchEvent(new browser.PointerEvent(type, { bubbles: true, ...centreOf(element) }));

const steps: { readonly [key: string]: (place: number, last: number) => number } = {
  ArrowRight: (place, last) => Math.min(place + 1, last),
  ArrowDown: (place, last) => Math.min(place + 1, last),
  ArrowLeft: place => Math.max(place - 1, 0),
  ArrowUp: place => Math.max(place - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/**
 * Makes a drawn chart usable by keyboard: Tab reaches it and each name of a legend that answers, arrow keys go from mark
 * to mark and show what the pointer would, those on a slider move it, Enter and Space press a name, Escape leaves the marks.
 */
export function listenToKeys(
  figure: PageElement,
  showTooltip: (value: unknown, at: { clientX: number; clientY: number }) => void,
): void {
  let current: PageElement | undefined;
  const pressed = new Set<string>();
  /** Vega makes elements anew when the chart changes its size. */
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
  new browser.MutationObserver(nameLegend).observe(figure, { childList: true, subtree: true });
  figure.addEventListener("click", ({ target }) => {
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
  const goTo = (mark: PageElement) => {
    leave();
    current = mark;
    mark.setAttribute("tabindex", "-1");
    mark.focus();
    send(mark, "pointerover");
    showTooltip(itemOf(mark).tooltip, centreOf(mark));
  };
  figure.addEventListener("keydown", event => {
    const { key, target } = event;
    if (target.matches("input")) return;
    if (target.matches(legendNames)) {
      if (key !== "Enter" && key !== " ") return;
      send(target, "click");
    } else if (key === "Escape") {
      leave();
      figure.focus();
    } else {
      const step = steps[key];
      const marks = [...figure.querySelectorAll("[role=graphics-symbol]")].filter(
        mark => itemOf(mark).tooltip,
      );
      if (!step || marks.length === 0) return;
      goTo(marks[step(current ? marks.indexOf(current) : -1, marks.length - 1)]!);
    }
    event.preventDefault();
  });
  figure.addEventListener("focusout", leave);
}
