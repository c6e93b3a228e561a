import { readFileSync } from "node:fs";
import MiniSearch from "minisearch";
import { chartStyle, pagePolicy } from "../../src/charts/page.ts";
import { STYLE } from "../../src/cli/ipynb/page.ts";
import { type Contents, frame } from "./frame.ts";
import type { Page } from "./pages.ts";

/** Options of the index, the same where it is made and where it is searched. */
const OPTIONS = {
  fields: ["title", "page", "words", "text"],
  storeFields: ["title", "page", "href", "weight"],
};

/** Returns the form in which a word is compared, or null for words that tell nothing. */
const processTerm = (term: string): string | null =>
  /^(?:an?|and|for|how|i|in|is|it|my|of|the|to|with)$/i.test(term) ? null : term.toLowerCase();

/** Searches the index as a person types: headings before text, the guide before the rest. */
const SCRIPT = `
const index = MiniSearch.loadJSON(document.getElementById("index").textContent, { ...${JSON.stringify(OPTIONS)}, processTerm: ${processTerm} });
const [input, list] = [document.querySelector("input"), document.querySelector("ol")];
const options = { boost: { title: 4, page: 3, words: 8 }, prefix: term => term.length > 2,
  boostDocument: (id, term, fields) => fields.weight };
function search() {
  const tries = [{ combineWith: "AND" }, {}, { fuzzy: 0.2 }];
  let found = [];
  for (const one of tries) if (found.length === 0) found = index.search(input.value, { ...options, ...one });
  list.replaceChildren(...found.slice(0, 30).map(({ title, page, href }) => {
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

/** Returns a page that searches all others offline. */
export function searchPage(pages: readonly Page[], contents: Contents): string {
  const { header, style } = frame("search.html", contents);
  const look = `${STYLE}${chartStyle}${style}`;
  const index = new MiniSearch<Section>({ ...OPTIONS, processTerm });
  const words = new Map(contents.flatMap(({ links }) => links.map(link => [link.path, link.words])));
  index.addAll(
    pages.flatMap(page => sectionsOf(page, words.get(page.path))).map((section, id) => ({ id, ...section })),
  );
  const data = JSON.stringify(index).replaceAll("<", "\\u003c");
  const library = readFileSync(new URL("../umd/index.js", import.meta.resolve("minisearch")), "utf8");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy(look, [library, SCRIPT])}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Search</title>
<style>${look}</style>
</head>
<body>
${header}<main><h1>Search</h1>
<p><input type="search" aria-label="Search" placeholder="For example: grade, interrupt, shots" size="40" autofocus></p>
<ol></ol></main>
<script type="application/json" id="index">${data}</script>
<script>${library}</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

interface Section {
  title: string;
  page: string;
  href: string;
  words: string;
  text: string;
  /** Importance of the page. */
  weight: number;
}

/** Returns the sections of a page, one per heading; the first is also found by what the index says of the page. */
export function sectionsOf({ path, notebook }: Page, words = ""): Section[] {
  const prose = notebook.cells.map(({ source }) => source).join("\n\n");
  const text = prose.replace(/^(```|~~~)[\s\S]*?^\1/gm, block => block.replace(/^#/gm, " #"));
  const parts = text.split(/^#{1,3} (.+)$/m).slice(1);
  const page = (parts[0] ?? path).replace(/[`*]/g, "");
  const weight = path.startsWith("guide/") ? 3 : /^(?:reference|service)\//.test(path) ? 0.6 : 1;
  const taken = new Set<string>();
  return Array.from({ length: parts.length / 2 }, (_, index) => {
    const title = parts[2 * index]!.replace(/[`*]/g, "");
    const wanted = title.trim().replace(/\s+/g, "-");
    let id = wanted;
    for (let count = 2; taken.has(id); count += 1) id = `${wanted}-${count}`;
    taken.add(id);
    return {
      title,
      page,
      href: `${path}#${encodeURIComponent(id)}`,
      words: index === 0 ? words : "",
      text: parts[2 * index + 1]!.slice(0, 4000),
      weight,
    };
  });
}
