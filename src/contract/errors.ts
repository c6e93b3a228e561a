/** The base of every error that Ketbook throws on purpose. Its message says what is wrong and what to do. */
export class KetbookError extends Error {
  /** @internal */ override name = "KetbookError";
}

/** Rethrows a `RangeError` as a `KetbookError` whose message begins with what was called. */
export function rethrowAsKetbookError<T>(called: string, compute: () => T): T {
  try {
    return compute();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new KetbookError(`${called}: ${cause.message}`, { cause });
  }
}

const denied = "access is denied. Choose another path, or allow access to this one";
const reasons: { readonly [code: string]: string } = {
  ENOENT: "no such file or folder. Check the path, or create the folder",
  ...{ EACCES: denied, EPERM: denied },
  EISDIR: "it is a folder. Add the name of a file",
};

/** Turns what is wrong with a file into a `KetbookError` that names it; an error of the library stays as it is. */
export function fileError(path: string, cause: unknown): KetbookError {
  if (cause instanceof KetbookError) return cause;
  const { code = "", message } = cause as Error & { code?: string };
  const reason = reasons[code] ?? `${message}. Choose another path`;
  return new KetbookError(`${path}: ${reason}.`, code in reasons ? undefined : { cause });
}

/** Reads or writes a file. Throws a `KetbookError` that names it if that fails. */
export function accessing<T>(path: string, access: () => T): T {
  try {
    return access();
  } catch (cause) {
    throw fileError(path, cause);
  }
}
