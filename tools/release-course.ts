import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseNotebook } from "../src/ipynb/parse.ts";
import { releaseNotebook } from "../src/ipynb/release.ts";
import { notebookText } from "../src/ipynb/text.ts";

const COURSE = new URL("../notebooks/course/", import.meta.url);

/** Writes the course's README.md and the students' copies of its lessons into a folder. */
export function writeReleasedCourse(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(COURSE).filter(each => /\.(?:ipynb|md)$/.test(each))) {
    const text = readFileSync(new URL(name, COURSE), "utf8");
    const isLesson = name.endsWith(".ipynb");
    const released = isLesson ? notebookText(releaseNotebook(parseNotebook(text, { outputs: true }))) : text;
    writeFileSync(join(folder, name), released);
  }
}
