import createPurifier from "dompurify";
import { ANCHOR } from "./anchors.ts";

const EMBEDDED = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/;

/** Classes of what programs are made of, the only ones that are left. */
const HIGHLIGHTED = /^t-[a-z]+(?: t-[a-z]+)*$/;

/** A style that loads something, or lies over the page. */
const REACHES_OUT = /[\\@]|url|(?:image|image-set|src)\s*\(|position\s*:\s*(?:fixed|sticky|absolute)/i;

const purifier = createPurifier(globalThis as unknown as Window & typeof globalThis);
purifier.addHook("afterSanitizeAttributes", node => {
  if (node.tagName === "IMG" && !EMBEDDED.test(node.getAttribute("src") ?? "")) node.remove();
  if (node.tagName !== "A") return;
  const href = node.getAttribute("href") ?? "";
  if (href.startsWith("#")) node.setAttribute("href", `#${ANCHOR}${href.slice(1)}`);
  else {
    node.setAttribute("target", "_blank");
    node.setAttribute("rel", "noopener noreferrer");
  }
});

purifier.addHook("uponSanitizeAttribute", (_node, attribute) => {
  const { attrName, attrValue } = attribute;
  if (attrName === "class") attribute.keepAttr = HIGHLIGHTED.test(attrValue);
  if (attrName === "style") attribute.keepAttr = !REACHES_OUT.test(attrValue);
});

/** Allowed HTML: text, tables, bars and embedded pictures; nothing that runs, loads or sends. */
const OPTIONS = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: [
    "style",
    "form",
    "input",
    "textarea",
    "select",
    "button",
    "video",
    "audio",
    "source",
    "dialog",
    "template",
  ],
  FORBID_ATTR: ["id", "name", "srcset", "background", "action", "ping"],
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} as const;

/** Makes of HTML that is not trusted a piece of a document that can only be looked at. */
export const sanitized = (html: string): DocumentFragment =>
  purifier.sanitize(html, {
    ...OPTIONS,
    FORBID_TAGS: [...OPTIONS.FORBID_TAGS],
    FORBID_ATTR: [...OPTIONS.FORBID_ATTR],
  });
