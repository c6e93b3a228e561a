export const LIBRARY = "ketbook";

export const INSTALL_COMMAND = "npx ketbook kernel install";

/** Modules of the library: the names to import them by, and their files without an ending. */
export const LIBRARY_FILES: ReadonlyMap<string, string> = new Map([
  [LIBRARY, "index"],
  [`${LIBRARY}/client`, "client"],
  [`${LIBRARY}/course`, "course"],
]);
