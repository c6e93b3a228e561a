import { chartStyle, pagePolicy } from "../../src/charts/page.ts";
import { STYLE } from "../../src/cli/ipynb/page/style.ts";
import { frame } from "./frame.ts";
import { linkTo, type Page } from "./pages.ts";

/** What the search page does: it shows the sections that have all words, those with a word in their heading first. */
const SCRIPT = `
const sections = JSON.parse(document.getElementById("sections").textContent);
const [input, list] = [document.querySelector("input"), document.querySelector("ol")];
function search() {
  const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const found = words.length === 0 ? [] : sections
    .filter(each => words.every(word => each.search.includes(word)))
    .map(each => ({ ...each, rank: words.filter(word => each.title.toLowerCase().includes(word)).length }))
    .sort((a, b) => b.rank - a.rank)
    .slice(0, 40);
  list.replaceChildren(...found.map(({ title, page, href }) => {
    const [item, link] = [document.createElement("li"), document.createElement("a")];
    link.href = href;
    link.textContent = title;
    item.append(link, page === title ? "" : " · " + page);
    return item;
  }));
}
input.addEventListener("input", search);
input.value = decodeURIComponent(location.hash.slice(1));
search();
`;

/** A page that searches all others, without a network: it holds their words. */
export function searchPage(pages: readonly Page[]): string {
  const { header, style } = frame("search.html", linkTo);
  const look = `${STYLE}${chartStyle}${style}`;
  const data = JSON.stringify(pages.flatMap(sectionsOf)).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy(look, [SCRIPT])}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Search</title>
<style>${look}</style>
</head>
<body>
${header}<main><h1>Search</h1>
<p><input type="search" aria-label="Words" placeholder="Words, such as: expectation interval" size="40"></p>
<ol></ol></main>
<script type="application/json" id="sections">${data}</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

/** The sections of a page: what stands below each heading, in the small letters that a search compares. */
function sectionsOf({
  path,
  notebook,
}: Page): { title: string; page: string; href: string; search: string }[] {
  const prose = notebook.cells.map(({ source }) => source).join("\n\n");
  const text = prose.replace(/^(```|~~~)[\s\S]*?^\1/gm, block => block.replace(/^#/gm, " #"));
  const parts = text.split(/^#{1,3} (.+)$/m).slice(1);
  const page = parts[0] ?? path;
  const taken = new Set<string>();
  return Array.from({ length: parts.length / 2 }, (_, index) => {
    const title = parts[2 * index]!.replace(/[`*]/g, "");
    const wanted = title.trim().replace(/\s+/g, "-");
    let id = wanted;
    for (let count = 2; taken.has(id); count += 1) id = `${wanted}-${count}`;
    taken.add(id);
    const search = `${title} ${parts[2 * index + 1]}`.toLowerCase().replace(/\s+/g, " ").slice(0, 4000);
    return { title, page, href: `${path}#${encodeURIComponent(id)}`, search };
  });
}
