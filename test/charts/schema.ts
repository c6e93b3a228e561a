import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";

let known: ((spec: unknown) => boolean) | undefined;

/**
 * Returns a check of specifications against the JSON schema of the Vega-Lite that JupyterLab brings, which is version 5.
 * It takes half a second to make, so the files of a worker share one.
 */
export function specificationCheck(): (spec: unknown) => boolean {
  known ??= makeCheck();
  return known;
}

function makeCheck(): (spec: unknown) => boolean {
  const lab = createRequire(import.meta.url).resolve("@jupyterlab/vega5-extension");
  const path = createRequire(lab).resolve("vega-lite/build/vega-lite-schema.json");
  // The check of so large a schema is made four times as fast without polish, and is as quick.
  const options = { code: { optimize: false }, inlineRefs: false, validateSchema: false };
  const ajv = new Ajv({ strict: false, logger: false, ...options });
  addFormats.default(ajv);
  ajv.addFormat("color-hex", /^#[0-9a-f]{6}$/i);
  const check = ajv.compile(JSON.parse(readFileSync(path, "utf8")));
  return spec => check(spec) as boolean;
}
