/** The kernel's own package, which is what its cells import; takes the place of `src/kernels/library-name.ts`. */
export const LIBRARY = "ketbook-kernel";

export const INSTALL_COMMAND = "npx ketbook-kernel install";

export const LIBRARY_FILES: ReadonlyMap<string, string> = new Map([[LIBRARY, "index"]]);
