import MarkdownIt from "markdown-it";
import { escapeHtml } from "./escape.ts";
import { highlight } from "./highlight.ts";

export interface Heading {
  level: number;
  id: string;
  text: string;
}

export type Prose = ReturnType<typeof openProse>;

const EMBEDDED = /^data:image\/(?:png|jpeg|gif|webp);base64,/;

/** Opens a renderer, which keeps the anchors of a page's headings apart. */
export function openProse() {
  const headings: Heading[] = [];
  const markdown = new MarkdownIt({ html: false, linkify: true, highlight });

  markdown.renderer.rules.heading_open = (tokens, index, options, _env, renderer) => {
    const token = tokens[index]!;
    const text = (tokens[index + 1]?.children ?? []).map(child => child.content).join("");
    const id = freeId(text.trim().replace(/\s+/g, "-") || "section", headings);
    headings.push({ level: Number(token.tag.slice(1)), id, text });
    token.attrSet("id", id);
    return renderer.renderToken(tokens, index, options);
  };
  markdown.renderer.rules.image = (tokens, index, _options, env) => {
    const token = tokens[index]!;
    const source = String(token.attrGet("src") ?? "");
    const url = source.startsWith("attachment:") ? attached(env?.attachments, source.slice(11)) : source;
    const alt = escapeHtml(token.content);
    if (url !== undefined && EMBEDDED.test(url)) return `<img src="${escapeHtml(url)}" alt="${alt}">`;
    return `<a href="${escapeHtml(source)}">${alt || escapeHtml(source)}</a>`;
  };

  return {
    headings: headings as readonly Heading[],
    /** Renders Markdown. Raw HTML in it shows as text; pictures must be attachments or data themselves. */
    render: (text: string, attachments: Record<string, unknown> = {}): string =>
      markdown.render(text, { attachments }),
  };
}

function attached(attachments: unknown, name: string): string | undefined {
  const bundle = (attachments as Record<string, unknown> | undefined)?.[name];
  const picture = Object.entries(bundle ?? {}).find(([mime]) => mime.startsWith("image/"));
  return picture && `data:${picture[0]};base64,${String(picture[1]).replace(/\s/g, "")}`;
}

function freeId(wanted: string, taken: readonly Heading[]): string {
  const used = new Set(taken.map(heading => heading.id));
  let id = wanted;
  for (let count = 2; used.has(id); count += 1) id = `${wanted}-${count}`;
  return id;
}
