import { browser, type Page, type PageElement } from "./page-elements.ts";

const gap = 14;

/** Fills the tooltip with what Vega says of a mark: a value each of some names, or one string. */
function fill(box: PageElement, page: Page, value: unknown): void {
  const rows = typeof value === "object" && value !== null ? Object.entries(value) : [["", value]];
  const cells = rows.flatMap(([name, shown]) =>
    [String(name), String(shown)].map((text, place) => {
      const cell = page.createElement(place === 0 ? "dt" : "dd");
      cell.textContent = text;
      return cell;
    }),
  );
  box.replaceChildren(...cells);
}

/** Makes the one tooltip of a page: it shows a value beside a point, and nothing for `null`. */
export function pageTooltip(page: Page): (value: unknown, at: { clientX: number; clientY: number }) => void {
  const box = page.createElement("dl");
  box.setAttribute("class", "chart-tooltip");
  box.setAttribute("role", "status");
  box.hidden = true;
  page.body.append(box);
  return (value, { clientX, clientY }) => {
    box.hidden = value === null || value === undefined || value === "";
    if (box.hidden) return;
    fill(box, page, value);
    const { width, height } = box.getBoundingClientRect();
    const place = (at: number, size: number, room: number) =>
      `${Math.max(0, at + gap + size > room ? at - gap - size : at + gap)}px`;
    box.style.left = place(clientX, width, browser.innerWidth);
    box.style.top = place(clientY, height, browser.innerHeight);
  };
}
