/** Error of a notebook that could not be executed at all: the problem, its place, and advice. */
export class NotebookError extends Error {
  override name = "NotebookError";
}
