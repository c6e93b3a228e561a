/** Why a notebook could not be executed at all: what is wrong, where, and what to do. */
export class NotebookError extends Error {
  override name = "NotebookError";
}
