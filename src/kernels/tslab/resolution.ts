import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type ts from "@tslab/typescript-for-tslab";
import type { TypeScript } from "./internals.ts";

/** Name of the library that the kernel brings along. */
export const LIBRARY = "ketbook";

/** Where the kernel's own copy of the library is, in case that a notebook's folder has none. */
export function ownLibrary(): { main: string; types: string } | undefined {
  const require = createRequire(import.meta.url);
  try {
    const manifest = require.resolve(`${LIBRARY}/package.json`);
    const { main, types } = require(manifest);
    return { main: join(dirname(manifest), main), types: join(dirname(manifest), types) };
  } catch {
    const folder = dirname(fileURLToPath(import.meta.url));
    const own = { main: join(folder, "index.cjs"), types: join(folder, "index.d.ts") };
    return existsSync(own.types) ? own : undefined;
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

  files.resolveModuleNameLiterals = (literals, from, _redirected, options) =>
    literals.map(({ text }) => resolve(text, from, options));
}
