/** An element of JSX in a cell that names no library for it: it shows itself as HTML. */
interface JsxElement {
  type: unknown;
  props: Readonly<Record<string, unknown>>;
  toHtml(): string;
}

type Props = Readonly<Record<string, unknown>>;

const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
const TAG = /^[a-z][\w-]*$/i;
const ATTRIBUTE = /^(?!(?:key|ref)$)[a-z_:][\w:.-]*$/i;
const ALIASES: Readonly<Record<string, string>> = { className: "class", htmlFor: "for" };
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Type of elements that are nothing but their children. */
export const Fragment = Symbol.for("ketbook.jsx.fragment");

/** Makes an element. A function is called with its properties, and returns what is shown. */
export function createElement(type: unknown, given: Props | null, ...children: unknown[]): JsxElement {
  const content = children.length > 1 ? children : children[0];
  const props = { ...given, ...(children.length > 0 && { children: content }) };
  return { type, props, toHtml: () => elementMarkup(type, props) };
}

function elementMarkup(type: unknown, props: Props): string {
  const { children, dangerouslySetInnerHTML: inner, ...attributes } = props;
  if (type === Fragment) return childMarkup(children);
  if (typeof type === "function") return childMarkup(type(props));
  if (typeof type !== "string" || !TAG.test(type))
    throw new TypeError(`${String(type)} is not an element. Use a tag such as <div>, or a function.`);
  const written = Object.entries(attributes).map(([name, value]) => attribute(ALIASES[name] ?? name, value));
  const open = `<${type}${written.join("")}>`;
  if (VOID.test(type)) return open;
  const markup = (inner as { __html?: unknown } | undefined)?.__html;
  return `${open}${markup === undefined ? childMarkup(children) : String(markup)}</${type}>`;
}

/** Handlers of events, and what is absent, have no markup. */
function attribute(name: string, value: unknown): string {
  if (value === undefined || value === null || value === false || typeof value === "function") return "";
  if (!ATTRIBUTE.test(name)) return "";
  return value === true
    ? ` ${name}`
    : ` ${name}="${escaped(name === "style" ? styleText(value) : String(value))}"`;
}

const styleText = (style: unknown): string =>
  typeof style === "object" && style !== null
    ? Object.entries(style)
        .map(([name, value]) => `${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}:${value}`)
        .join(";")
    : String(style);

function childMarkup(child: unknown): string {
  if (child === undefined || child === null || typeof child === "boolean") return "";
  if (Array.isArray(child)) return child.map(childMarkup).join("");
  const { toHtml } = Object(child) as { toHtml?: unknown };
  return typeof toHtml === "function" ? String(toHtml.call(child)) : escaped(String(child));
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, character => ENTITIES[character]!);
