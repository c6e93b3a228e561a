import { LIBRARY_FILES } from "../../kernels/library-name.ts";
import { tslab } from "../../kernels/values/display.ts";

/** Loads modules for cells in a page. */
export interface PageModules {
  import(specifier: unknown): Promise<unknown>;
  require(specifier: unknown): unknown;
  meta: { url: string; main: boolean };
}

/** Opens the modules of a page, which are those of the library, by the names of their files. */
export function openModules(library: Readonly<Record<string, object>>): PageModules {
  const find = (specifier: unknown) => {
    if (specifier === "tslab") return tslab;
    const module = library[LIBRARY_FILES.get(specifier as string) ?? ""];
    if (module) return module;
    const known = Array.from(LIBRARY_FILES.keys(), name => `"${name}"`).join(", ");
    throw new Error(`A cell in a browser can only import ${known}, not ${JSON.stringify(specifier)}.`);
  };
  return {
    import: async specifier => find(specifier),
    require: find,
    meta: { url: globalThis.location?.href ?? "", main: true },
  };
}
