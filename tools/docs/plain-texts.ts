import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathOf, readPage } from "./pages.ts";

/**
 * Returns the documentation as plain text: `llms.txt` lists its pages with their first sentences, and `llms-full.txt` has
 * all of their text, those of notebooks without outputs and solutions.
 */
export function plainTexts(root: string, sources: readonly string[]): Record<string, string> {
  const pages = sources.map(source => {
    const cells = readPage(root, source).notebook.cells;
    const text = source.endsWith(".md")
      ? readFileSync(join(root, source), "utf8")
      : cells
          .map(cell => (cell.cell_type === "code" ? `\`\`\`ts\n${cell.source}\n\`\`\`` : cell.source))
          .join("\n\n");
    const title = /^# (.*)$/m.exec(text)?.[1] ?? source;
    const first = /^[A-Z`][^\n]*(?:\n[^\n#|]+)*/m.exec(text.replace(/^#.*$/gm, ""))?.[0] ?? "";
    const summary = /^.*?[.:](?=\s|$)/s.exec(first)?.[0].replace(/\s+/g, " ") ?? "";
    return { title, summary, path: pathOf(source), text: text.trim() };
  });
  const lines = pages.map(
    ({ title, path, summary }) => `- [${title}](${path})${summary ? `: ${summary}` : ""}\n`,
  );
  return {
    "llms.txt": `# Ketbook\n\n> Quantum computing in TypeScript notebooks, with a built-in job service.\n\n## Pages\n\n${lines.join("")}`,
    "llms-full.txt": pages.map(({ path, text }) => `<!-- ${path} -->\n\n${text}\n`).join("\n"),
  };
}
