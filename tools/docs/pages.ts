import { readFileSync } from "node:fs";
import { dirname, posix, relative, resolve } from "node:path";
import type { Cell, Notebook } from "../../src/ipynb/format.ts";
import { parseNotebook } from "../../src/ipynb/parse.ts";
import { releaseNotebook } from "../../src/ipynb/release.ts";

/** A page of the site. */
export interface Page {
  /** Where it stands in the site, such as `guide/start.html`. */
  path: string;
  /** The file that it is made of, from the root of the repository; none of a page that is generated. */
  source?: string;
  notebook: Notebook;
  /** Whether its code is executed. */
  isExecuted: boolean;
}

const METADATA: Notebook["metadata"] = {
  kernelspec: { display_name: "TypeScript (Ketbook)", language: "typescript", name: "ketbook" },
  language_info: { name: "typescript", file_extension: ".ts", mimetype: "text/typescript" },
};

/** Where the page of a file of the repository stands in the site. */
export const pathOf = (source: string): string =>
  source
    .replace(/^docs\/README\.md$/, "index.html")
    .replace(/^docs\//, "")
    .replace(/^notebooks\/(?:course\/README\.md)$/, "course/index.html")
    .replace(/^notebooks\//, "")
    .replace(/\.(?:md|ipynb)$/, ".html");

/** Reads Markdown as a notebook, whose examples in TypeScript are the cells. */
export function markdownNotebook(text: string): Notebook {
  const parts = text.split(/^```ts\n([\s\S]*?)^```$/gm);
  const cells = parts.flatMap((part, index): Cell[] => {
    const source = part.trim();
    if (source === "") return [];
    const base = { id: `cell-${index}`, metadata: {}, source };
    if (index % 2 === 0) return [{ ...base, cell_type: "markdown" }];
    return [{ ...base, cell_type: "code", execution_count: null, outputs: [] }];
  });
  return { cells, metadata: METADATA };
}

/** Reads a page of the repository: Markdown, or a notebook without its solutions. */
export function readPage(root: string, source: string): Page {
  const text = readFileSync(resolve(root, source), "utf8");
  const notebook = source.endsWith(".md") ? markdownNotebook(text) : releaseNotebook(parseNotebook(text));
  const isExecuted = notebook.cells.some(cell => cell.cell_type === "code");
  return { path: pathOf(source), source, notebook, isExecuted };
}

/**
 * Points the links of a page to the pages of the site. A link to a file of the repository that is no page becomes its
 * path in words, since the site stands alone.
 */
export function relinked({ path, source, notebook }: Page, pages: ReadonlyMap<string, string>): Notebook {
  if (source === undefined) return notebook;
  const cells = notebook.cells.map(cell => {
    if (cell.cell_type !== "markdown") return cell;
    const text = cell.source.replace(
      /\[([^\]]*)\]\((?!\w+:|#)([^)#]*)(#[^)]*)?\)/g,
      (_, words, to, hash = "") => {
        const file = posix.join(dirname(source), to).replace(/\/$/, "/README.md");
        const page = pages.get(file) ?? pages.get(`${file}/README.md`);
        return page === undefined ? `${words} (\`${file}\`)` : `[${words}](${linkTo(path, page)}${hash})`;
      },
    );
    return { ...cell, source: text };
  });
  return { ...notebook, cells };
}

/** The relative link from one page of the site to another. */
export const linkTo = (from: string, to: string): string =>
  relative(dirname(from), to).replaceAll("\\", "/") || posix.basename(to);
