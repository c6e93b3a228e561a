import { createRequire } from "node:module";
import manifest from "../../../package.json" with { type: "json" };
import { attempted } from "../../host/attempted.ts";
import type { Language } from "../cells/syntax.ts";
import { infoOf } from "./requests.ts";

export function kernelInfo(language: Language): object {
  const version = manifest.version;
  return {
    ...infoOf({
      language,
      languageVersion: language === "typescript" ? typescriptVersion() : process.versions.node,
      version,
      banner: `Ketbook ${version} on Node ${process.versions.node}`,
    }),
    supported_features: ["debugger"],
    debugger: true,
  };
}

/** The version of TypeScript that checks cells. */
export const typescriptVersion = (): string =>
  attempted(() => createRequire(import.meta.url)("typescript/package.json").version) ?? process.versions.node;
