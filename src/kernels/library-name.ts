/** Name of the library that a kernel brings along. */
export const LIBRARY = "ketbook";
