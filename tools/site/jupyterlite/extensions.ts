import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A package's description of itself as a part of JupyterLab. */
export interface LabPackage {
  name: string;
  version: string;
  folder: string;
  jupyterlab: {
    extension?: boolean | string;
    mimeExtension?: boolean | string;
    schemaDir?: string;
    themePath?: string;
  };
}

const NAME = "ketbook:extensions";

/** Reads the packages in a folder's `package.json` that extend JupyterLab. */
export function labPackages(folder: string): LabPackage[] {
  const { dependencies } = readManifest(folder) as { dependencies: Record<string, string> };
  return Object.keys(dependencies)
    .map(name => {
      const place = join(folder, "node_modules", name);
      return { jupyterlab: {}, ...(readManifest(place) as object), folder: place } as LabPackage;
    })
    .filter(({ jupyterlab }) => jupyterlab.extension || jupyterlab.mimeExtension);
}

const readManifest = (folder: string): unknown =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Returns a bundler's plugin for a module in a folder that exports all plugins of the packages, and imports their styles. */
export function labExtensions(folder: string, packages: readonly LabPackage[]) {
  const module = join(folder, "extensions.js");
  const lines = packages.flatMap(({ name, folder: place }, index) => [
    `import plugins${index} from ${JSON.stringify(name)};`,
    ...(existsSync(join(place, "style/index.js"))
      ? [`import ${JSON.stringify(`${name}/style/index.js`)};`]
      : []),
  ]);
  const listed = (kind: "extension" | "mimeExtension") =>
    packages.flatMap(({ jupyterlab }, index) => (jupyterlab[kind] ? [`plugins${index}`] : [])).join(", ");
  return {
    name: "lab-extensions",
    resolveId: (id: string) => (id === NAME ? module : null),
    load: (id: string) =>
      id === module
        ? `${lines.join("\n")}
export const extensions = [${listed("extension")}];
export const mimeExtensions = [${listed("mimeExtension")}];`
        : null,
  };
}
