import { escapeHtml } from "../../src/ipynb/prose/escape.ts";
import { linkTo, type Page } from "./pages.ts";

/** Links of the site, by group, in the order of its sidebar. */
export type Contents = readonly { title: string; links: readonly Link[] }[];

/** A page in the contents. */
export interface Link {
  title: string;
  path: string;
  /** Its description in the index. */
  words: string;
}

/** Collects the sidebar's links: the lists of the index page, then the lessons and the generated pages. */
export function contentsOf(pages: readonly Page[]): Contents {
  const index = pages.find(({ path }) => path === "index.html")!;
  const known = new Map(pages.map(page => [page.source, page.path]));
  const text = index.notebook.cells.map(({ source }) => source).join("\n\n");
  const [, ...parts] = text.split(/^## (.+)$/m);
  const listed = (list: string): Link[] =>
    Array.from(list.matchAll(/\[([^\]]+)\]\(([^)]+)\)(?:: (.*))?/g), ([, title, to, words = ""]) => ({
      title: title!.replace(/^./, letter => letter.toUpperCase()),
      path: known.get(to!.startsWith("../") ? to!.slice(3) : `docs/${to}`) ?? "",
      words,
    })).filter(({ path }) => path !== "");
  const groups = Array.from({ length: parts.length / 2 }, (_, at) => ({
    title: parts[2 * at]!.trim(),
    links: listed(parts[2 * at + 1]!),
  }));
  const generated = (title: string, folder: RegExp) => ({
    title,
    links: pages
      .filter(({ path }) => folder.test(path))
      .map(page => ({ title: titleOf(page), path: page.path, words: "" }))
      .sort((a, b) => (title === "Lessons" ? a.path.localeCompare(b.path) : a.title.localeCompare(b.title))),
  });
  return [...groups, generated("Lessons", /^course\/\d/), generated("Reference", /^(?:reference|service)\//)];
}

/** Returns the first heading of a page. */
export const titleOf = ({ path, notebook }: Page): string =>
  notebook.cells
    .map(({ source }) => /^# (.+)$/m.exec(source)?.[1])
    .find(title => title !== undefined)
    ?.replace(/[`*]/g, "") ?? path;

/** Returns the markup that each page begins with, a sidebar on wide screens and a strip on narrow ones, and its style. */
export function frame(path: string, contents: Contents): { header: string; style: string } {
  const link = (to: string, title: string) =>
    `<a href="${linkTo(path, to)}"${path === to ? ' aria-current="page"' : ""}>${escapeHtml(title)}</a>`;
  const groups = contents.map(
    ({ title, links }) =>
      `<section><h2>${escapeHtml(title)}</h2>${links.map(each => link(each.path, each.title)).join("\n")}</section>`,
  );
  const header = `<header>${link("index.html", "Ketbook")}${link("search.html", "Search")}</header>
<aside aria-label="Pages">${groups.join("\n")}</aside>
`;
  return { header, style: STYLE };
}

const STYLE = `
header { position: sticky; top: 0; z-index: 2; display: flex; gap: 1.2rem; padding: .7rem 1.5rem;
  background: var(--page); border-bottom: 1px solid var(--line); font-size: .9rem; }
:is(header, aside) a { text-decoration: none; color: var(--soft); }
header a:first-child { font-weight: 700; color: var(--text); }
:is(header, aside) a:is(:hover, [aria-current]) { color: var(--accent); }
html { scroll-padding-top: 4rem; }
aside { display: none; font-size: .84rem; line-height: 1.4; }
aside h2 { margin: 1.2rem 0 .3rem; font-size: .75rem; letter-spacing: .04em; text-transform: uppercase; color: var(--text); }
aside a { display: block; padding: .2rem 0; }
aside a[aria-current] { font-weight: 600; }
nav[aria-label="Contents"] { display: none; }
@media (min-width: 64rem) {
  header { position: fixed; left: 0; width: 15rem; border-bottom: 0; }
  aside { display: block; position: fixed; top: 2.8rem; bottom: 0; left: 0; width: 15rem; overflow: auto; padding: 0 1.5rem 2rem;
    scrollbar-width: thin; }
  body { padding-left: 15rem; border-left: 0; }
  html { scroll-padding-top: 1rem; } }
@media (min-width: 94rem) {
  nav[aria-label="Contents"] { display: block; top: 2.5rem; left: auto; right: 1rem; width: 12rem; max-height: calc(100vh - 5rem); }
  body { padding-right: 13rem; } }
@media print { header, aside { display: none; } body { padding: 0; } }
`;
