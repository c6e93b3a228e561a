import { createRequire } from "node:module";
import manifest from "../../../package.json" with { type: "json" };
import type { Language } from "../cells/syntax.ts";

export function kernelInfo(language: Language): object {
  const typescript = language === "typescript";
  return {
    status: "ok",
    protocol_version: "5.4",
    implementation: "ketbook",
    implementation_version: manifest.version,
    language_info: {
      name: language,
      version: typescript ? typescriptVersion() : process.versions.node,
      mimetype: typescript ? "text/x-typescript" : "text/javascript",
      file_extension: typescript ? ".ts" : ".js",
      codemirror_mode: {
        mode: "javascript",
        name: "javascript",
        typescript,
      },
      nbconvert_exporter: "script",
    },
    banner: `Ketbook ${manifest.version} on Node ${process.versions.node}`,
    help_links: [{ text: "TypeScript", url: "https://www.typescriptlang.org/docs/" }],
    supported_features: ["debugger"],
    debugger: true,
  };
}

/** The version of TypeScript that checks cells. */
export function typescriptVersion(): string {
  try {
    return createRequire(import.meta.url)("typescript/package.json").version;
  } catch {
    return process.versions.node;
  }
}
