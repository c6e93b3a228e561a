import { LIBRARY } from "../../kernels/library-name.ts";

/** Loads modules for cells in a page. */
export interface PageModules {
  import(specifier: unknown): Promise<unknown>;
  require(specifier: unknown): unknown;
  meta: { url: string; main: boolean };
}

/** Opens the modules of a page: the library, and no other. */
export function openModules(library: object): PageModules {
  const find = (specifier: unknown) => {
    if (specifier === LIBRARY) return library;
    throw new Error(
      `A cell in a browser can import "${LIBRARY}" alone; ${JSON.stringify(specifier)} is not there.`,
    );
  };
  return {
    import: async specifier => find(specifier),
    require: find,
    meta: { url: globalThis.location?.href ?? "", main: true },
  };
}
