/** Throws, since a page has no files by path. */
export function readTextFile(path: string): string {
  throw new Error(`A page reads no files of this computer, such as ${path}.`);
}
