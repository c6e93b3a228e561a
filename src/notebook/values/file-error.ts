import { KetbookError } from "../../client/errors.ts";

const reasons: { readonly [code: string]: string } = {
  ENOENT: "no such file or folder",
  EACCES: "access is denied",
  EISDIR: "it is a folder",
};

/** Turns what is wrong with a file into a `KetbookError` that names it; an error of the library stays as it is. */
export function fileError(path: string, cause: unknown): KetbookError {
  if (cause instanceof KetbookError) return cause;
  const { code = "", message } = cause as NodeJS.ErrnoException;
  const reason = reasons[code];
  return new KetbookError(`${path}: ${reason ?? message}.`, reason === undefined ? { cause } : undefined);
}
