import { fileURLToPath } from "node:url";

const source = (path: string) => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));

/** Modules that do in Node what a page does in another way, and what takes their place there. */
const SUBSTITUTES: Readonly<Record<string, string>> = {
  "charts/embed-fonts.ts": "browser/library/charts.ts",
  "charts/fonts.ts": "browser/library/charts.ts",
  "charts/page.ts": "browser/library/charts.ts",
  "charts/png.ts": "browser/library/charts.ts",
  "charts/render.ts": "browser/library/charts.ts",
  "charts/save.ts": "browser/library/charts.ts",
  "client/undici-sender.ts": "browser/library/host.ts",
  "ipynb/prose/highlight.ts": "browser/page/highlight.ts",
  "notebook/connection/host.ts": "browser/library/host.ts",
  "notebook/results/result-file.ts": "browser/library/charts.ts",
  "require-node.ts": "../tools/vega/nothing.ts",
};

/** Where each of them is, and what takes its place, as absolute paths. */
export const substitutes: ReadonlyMap<string, string> = new Map(
  Object.entries(SUBSTITUTES).map(([from, to]) => [source(from), source(to)]),
);

/** Names of Node in code of the library that no page reaches. Each export throws when it is used. */
const UNREACHED: Readonly<Record<string, readonly string[]>> = {
  "node:module": ["createRequire"],
  "node:fs/promises": ["readFile"],
};

/** A bundler's plugin that puts the modules for a page in the place of those for Node. */
export const forPages = {
  name: "for-pages",
  resolveId: {
    order: "pre" as const,
    async handler(
      this: { resolve(id: string, importer?: string, options?: object): Promise<{ id: string } | null> },
      id: string,
      importer: string | undefined,
    ) {
      if (Object.hasOwn(UNREACHED, id)) return { id: `\0${id}` };
      if (id.startsWith("node:")) throw new Error(`${importer} imports ${id}, which a page does not have.`);
      if (!id.startsWith(".") || importer?.includes("node_modules")) return null;
      const found = await this.resolve(id, importer, { skipSelf: true });
      const other = found && substitutes.get(found.id);
      return other && other !== importer ? { id: other } : null;
    },
  },
  load(id: string) {
    const names = id.startsWith("\0node:") ? UNREACHED[id.slice(1)] : undefined;
    return names
      ?.map(name => `export const ${name} = () => { throw new Error("A page has no ${id.slice(6)}.") };`)
      .join("\n");
  },
};
