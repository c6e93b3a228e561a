import { readdirSync, readFileSync } from "node:fs";
import type { Notebook } from "../../../src/ipynb/format.ts";
import { parseNotebook } from "../../../src/ipynb/parse.ts";

const FOLDER = new URL("../../../notebooks/", import.meta.url);

/** Lessons of the course. */
export const LESSONS: readonly string[] = readdirSync(new URL("course/", FOLDER))
  .filter(file => file.endsWith(".ipynb"))
  .map(file => `course/${file}`);

/** Reads one of the notebooks that the site has. */
export const readNotebook = (file: string): Notebook =>
  parseNotebook(readFileSync(new URL(file, FOLDER), "utf8"));
