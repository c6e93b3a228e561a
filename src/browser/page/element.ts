type Child = Node | string | undefined | false;

/** Makes an element with attributes and children. A text child stays text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | boolean | (() => void)>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter(child => child !== undefined && child !== false));
  return made;
}

/** Makes a button. `content` is what it shows, and by default its name. */
export const button = (
  content: Child,
  click: () => void,
  attributes: Readonly<Record<string, string>> = {},
): HTMLButtonElement => element("button", { type: "button", ...attributes, click }, content);

/** Makes the button that closes something, or with another name removes it. */
export const closeButton = (click: () => void, label = "Close"): HTMLButtonElement =>
  button("×", click, { class: "close", "aria-label": label });

/** A picture of 16 pixels, drawn in lines. */
export function icon(path: string): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const drawn = document.createElementNS("http://www.w3.org/2000/svg", "path");
  drawn.setAttribute("d", path);
  svg.append(drawn);
  return svg;
}
