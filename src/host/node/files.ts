import { readFileSync } from "node:fs";

/** Reads a file of text in UTF-8. Throws where it can't be read. */
export const readTextFile = (path: string): string => readFileSync(path, "utf8");
