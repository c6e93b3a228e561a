export { escapeHtml } from "./escape.ts";
export { highlight } from "./highlight.ts";
export { type Heading, openProse, type Prose } from "./markdown.ts";
