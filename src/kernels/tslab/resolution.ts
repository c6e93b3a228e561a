import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type ts from "@tslab/typescript-for-tslab";
import type { TypeScript } from "./internals.ts";

/** Name of the library that the kernel brings along. */
export const LIBRARY = "ketbook";

/** The files of a library: for `require`, for `import`, and its types. */
interface LibraryFiles {
  main: string;
  module: string;
  types: string;
}

/** The kernel's own copy of the library, for folders of notebooks that have none. */
export function ownLibrary(): LibraryFiles | undefined {
  const inFolder = (folder: string) => ({
    main: join(folder, "index.cjs"),
    module: join(folder, "index.js"),
    types: join(folder, "index.d.ts"),
  });
  const beside = inFolder(dirname(fileURLToPath(import.meta.url)));
  if (existsSync(beside.types)) return beside;
  try {
    return inFolder(dirname(createRequire(import.meta.url).resolve(LIBRARY)));
  } catch {
    return undefined;
  }
}

/**
 * Makes cells find the types of modules that say where these are in `exports` alone, which tslab does not look
 * at, and those of the library that the kernel brings along.
 */
export function resolveModules(typescript: TypeScript, host: ts.WatchCompilerHost<never> | object): void {
  const { resolveModuleName, createModuleResolutionCache, ModuleResolutionKind } = typescript;
  if (!resolveModuleName || !createModuleResolutionCache || !ModuleResolutionKind?.Bundler) return;
  const own = ownLibrary();
  const files = host as ts.ModuleResolutionHost & ts.WatchCompilerHost<never>;
  const cache = createModuleResolutionCache(files.getCurrentDirectory(), name => name);

  function resolve(
    name: string,
    from: string,
    options: ts.CompilerOptions,
  ): ts.ResolvedModuleWithFailedLookupLocations {
    const known = from.includes("/node_modules/") ? cache : undefined;
    const found = resolveModuleName(name, from, options, files, known);
    if (found.resolvedModule || known) return found;
    const modern = { ...options, moduleResolution: ModuleResolutionKind.Bundler };
    const newly = resolveModuleName(name, from, modern, files);
    if (newly.resolvedModule || name !== LIBRARY || !own) return newly;
    const resolvedModule = { resolvedFileName: own.types, extension: ".d.ts", isExternalLibraryImport: true };
    return { ...newly, resolvedModule };
  }

  const unresolved = new Set<string>();
  files.resolveModuleNameLiterals = (literals, from, _redirected, options) => {
    const found = literals.map(({ text }) => resolve(text, from, options));
    if (found.every(each => each.resolvedModule)) unresolved.delete(from);
    else unresolved.add(from);
    return found;
  };
  // What was missing may have been installed since. Nothing else has to be looked for again.
  files.hasInvalidatedResolutions = path => unresolved.has(path) && !path.includes("/node_modules/");
}
