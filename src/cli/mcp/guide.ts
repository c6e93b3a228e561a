import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A page of the documentation, which the package brings along; its path is in the folder `docs`. */
export type GuidePage = Readonly<Record<"path" | "title" | "text", string>>;

/** Longest text of a section that a search returns. */
const MAX_SECTION = 4000;

export function readGuide(): GuidePage[] {
  let root = import.meta.dirname;
  while (!existsSync(join(root, "docs/guide")) && dirname(root) !== root) root = dirname(root);
  const docs = join(root, "docs");
  if (!existsSync(docs)) return [];
  const files = readdirSync(docs, { recursive: true, encoding: "utf8" }).filter(
    name => name.endsWith(".md") && !name.includes("node_modules") && !name.startsWith("out"),
  );
  return files.sort().map(name => {
    const text = readFileSync(join(docs, name), "utf8");
    const path = name.replaceAll("\\", "/");
    return { path, title: /^# (.*)$/m.exec(text)?.[1] ?? path, text };
  });
}

/** Returns the sections that have most of the words of a query, the best first. */
export function searchGuide(pages: readonly GuidePage[], query: string, limit: number) {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu))].slice(0, 20);
  const count = (text: string, word: string) => text.toLowerCase().split(word).length - 1;
  const sections = pages.flatMap(({ path, title, text }) =>
    text.split(/^(?=#{1,4} )/m).map(part => {
      const heading = /^#+ (.*)/.exec(part)?.[1] ?? title;
      const scores = words.map(
        word => 5 * Math.min(1, count(heading, word)) + Math.min(3, count(part, word)),
      );
      const score = scores.reduce((sum, each) => sum + each, 0);
      return { score, section: { path, heading, text: part.slice(0, MAX_SECTION) } };
    }),
  );
  const found = sections.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  return found.slice(0, limit).map(({ section }) => section);
}
