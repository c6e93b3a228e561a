import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "tsdown";
import { fontFiles } from "../../src/charts/fonts.ts";
import { buildOnce } from "../browser/build-once.ts";

const fileOf = (name: string) => createRequire(import.meta.url).resolve(name);

/**
 * What JupyterLab does with an output: its own registry of renderers picks one, and its sanitizer cleans what it must;
 * and with the messages of a cell, which its own output area takes from the kernel.
 */
const entry = () => `
import { RenderMimeRegistry, standardRendererFactories } from ${JSON.stringify(fileOf("@jupyterlab/rendermime"))};
import { SimplifiedOutputArea, OutputAreaModel } from ${JSON.stringify(fileOf("@jupyterlab/outputarea"))};
import { rendererFactory } from ${JSON.stringify(fileOf("@jupyterlab/vega5-extension"))};

/** Marks what MathJax 3 takes for a formula: text that is not in elements with the class or names that it skips. */
const latexTypesetter = {
  typeset(node) {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts)
      if (/\\$[^$]+\\$|\\\\\\(.*\\\\\\)|\\\\\\[.*\\\\\\]/.test(text.data) && !text.parentElement.closest(".mathjax_ignore, script, style, textarea, pre, code"))
        text.replaceWith(document.createElement("mjx-container"));
  },
};

const openRegistry = () => {
  const registry = new RenderMimeRegistry({ initialFactories: standardRendererFactories, latexTypesetter });
  registry.addFactory(rendererFactory, 57);
  return registry;
};

globalThis.takeMessages = messages => {
  const area = new SimplifiedOutputArea({ model: new OutputAreaModel({ trusted: true }), rendermime: openRegistry() });
  document.querySelector("#output").replaceChildren(area.node);
  const future = { done: Promise.resolve() };
  area.future = future;
  for (const { type, content } of messages) future.onIOPub({ header: { msg_type: type }, content });
  return area.model.toJSON();
};

globalThis.showOutput = async (data, metadata, trusted) => {
  const registry = openRegistry();
  const model = registry.createModel({ data, metadata, trusted });
  const mimeType = registry.preferredMimeType(data, trusted ? "any" : "ensure");
  const renderer = registry.createRenderer(mimeType);
  const output = document.querySelector("#output");
  output.replaceChildren(renderer.node);
  await renderer.renderModel(model);
  if (mimeType === "text/html") latexTypesetter.typeset(renderer.node);
  await Promise.all([...output.querySelectorAll("img")].map(image => image.decode().catch(() => {})));
  return mimeType;
};
`;

/** JupyterLab's renderers, bundled as one script for a page. */
export async function labScript(): Promise<string> {
  const folder = await buildOnce("lab", ["test/front-ends/lab.ts", "package-lock.json"], async draft => {
    const file = join(draft, "lab.mjs");
    mkdirSync(draft);
    writeFileSync(file, entry());
    await build({
      entry: { lab: file },
      outDir: join(draft, "out"),
      config: false,
      format: "iife",
      platform: "browser",
      deps: { alwaysBundle: /./, onlyBundle: false },
      dts: false,
      minify: true,
      logLevel: "silent",
      loader: { ".svg": "text", ".css": "empty" },
      define: { "process.env.NODE_ENV": '"production"' },
      outputOptions: { codeSplitting: false, entryFileNames: "lab.js" },
    });
  });
  return readFileSync(join(folder, "out", "lab.js"), "utf8");
}

/** The parts of JupyterLab's theme that an output can see. */
const themes = {
  light: { background: "#ffffff", text: "rgba(0,0,0,0.87)" },
  dark: { background: "#111111", text: "rgba(255,255,255,0.87)" },
} as const;

/** A name of a theme. */
export type Theme = keyof typeof themes;

/**
 * A page with one output cell, in one of JupyterLab's themes, with the fonts that come with the library. With the
 * class `proportional`, digits differ in width as they do in a notebook that is not trusted.
 */
export function labPage(theme: Theme): string {
  const { background, text } = themes[theme];
  const css = readFileSync(
    fileOf("@jupyterlab/rendermime").replace(/lib[\\/]index\.js$/, join("style", "base.css")),
    "utf8",
  );
  const [inter, bold, mono] = fontFiles().map(file => readFileSync(file).toString("base64"));
  const face = (family: string, weight: number, data: string | undefined) =>
    `@font-face { font-family: "${family}"; font-weight: ${weight}; src: url(data:font/ttf;base64,${data}) }`;
  return `<!doctype html>
<meta charset="utf-8">
<style>
${face("Inter", 400, inter)} ${face("Inter", 600, bold)} ${face("DejaVu Sans Mono", 400, mono)}
:root {
  --jp-content-font-family: Inter; --jp-content-font-size1: 14px; --jp-content-line-height: 1.6;
  --jp-ui-font-family: Inter; --jp-ui-font-size1: 13px; --jp-code-font-family: DejaVu Sans Mono; --jp-code-font-size: 13px;
  --jp-code-line-height: 1.3; --jp-content-font-color1: ${text}; --jp-ui-font-color1: ${text}; --jp-layout-color0: ${background};
  --jp-rendermime-table-row-background: ${theme === "light" ? "#f5f5f5" : "#212121"}; --jp-border-width: 1px;
  --jp-border-color1: #808080;
}
body { margin: 0; padding: 16px; background: ${background}; color: ${text}; font-family: Inter }
#output { display: inline-block; max-width: 1000px }
.proportional * { font-variant-numeric: normal !important }
${css}
</style>
<body data-jp-theme-light="${theme === "light"}"><div id="output"></div></body>`;
}
