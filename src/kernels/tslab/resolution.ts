import type ts from "@tslab/typescript-for-tslab";
import { LIBRARY, ownLibrary } from "../own-library.ts";
import type { TypeScript } from "./internals.ts";

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
