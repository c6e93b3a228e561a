import { element, icon } from "./element.ts";

/** Actions of the page's buttons and menu. */
export interface ToolbarActions {
  runAll(): void;
  interrupt(): void;
  restart(): void;
  add(): void;
  menu: readonly (readonly [label: string, action: () => void])[];
}

const ICONS = {
  run: "M2 3v10l6-5zM8 3v10l6-5z",
  stop: "M4 4h8v8H4z",
  restart: "M13 8a5 5 0 1 1-1.5-3.6M13 2v3h-3",
  add: "M8 3v10M3 8h10",
  menu: "M2 4h12M2 8h12M2 12h12",
};

/** The bar above the notebook. */
export interface Toolbar {
  setTitle(title: string): void;
  setBusy(busy: boolean): void;
}

/** Puts the bar above the notebook on the page. */
export function openToolbar(root: HTMLElement, actions: ToolbarActions): Toolbar {
  const title = element("span", { class: "title" });
  const button = (name: keyof typeof ICONS, word: string, label: string, click: () => void) =>
    element(
      "button",
      { type: "button", class: name, title: label, "aria-label": label, click },
      icon(ICONS[name]),
      element("span", {}, word),
    );
  const items = element("div", { id: "menu", popover: "auto", role: "menu" });
  for (const [label, action] of actions.menu) {
    const item = element("button", { type: "button", role: "menuitem" }, label);
    item.addEventListener("click", () => {
      items.hidePopover();
      action();
    });
    items.append(item);
  }
  items.addEventListener("keydown", event => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all: (Element | null)[] = Array.from(items.querySelectorAll("button"));
    const at = all.indexOf(document.activeElement) + step;
    (all.at(at % all.length) as HTMLElement).focus();
  });
  const menu = button("menu", "Menu", "Menu", () => {
    items.togglePopover();
    if (items.matches(":popover-open")) items.querySelector("button")?.focus();
  });
  menu.setAttribute("aria-haspopup", "menu");
  const stop = button("stop", "Interrupt", "Interrupt (i i)", actions.interrupt);
  root.append(
    element(
      "a",
      { class: "brand", href: "./", "aria-label": "Ketbook" },
      icon("M3 2v12M9 2l4 6-4 6M5.5 5v2a1.8 1.8 0 0 0 3.6 0V5M7.3 5v7"),
    ),
    title,
    element(
      "div",
      { class: "tools", role: "toolbar", "aria-label": "Notebook" },
      button("run", "Run all", "Run all cells", actions.runAll),
      stop,
      button("restart", "Restart", "Restart (0 0)", actions.restart),
      button("add", "Add a cell", "Add a cell below (b)", actions.add),
      menu,
    ),
    items,
  );
  return {
    setTitle(text) {
      title.textContent = text;
      document.title = `${text} · Ketbook`;
    },
    setBusy(busy) {
      stop.disabled = !busy;
      root.classList.toggle("busy", busy);
    },
  };
}
