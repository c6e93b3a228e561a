/** Classes of errors that are bugs, and no fault of the input. */
const faults: readonly unknown[] = [Error, TypeError, RangeError, ReferenceError, SyntaxError];

/**
 * Does the work of a command. An error of the system, or of a class of Ketbook's, is said in its own words, and the process
 * ends with 1; any other is thrown on.
 */
export async function explained(command: string, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code && faults.includes(Object(error).constructor)) throw error;
    fail(command, message);
  }
}

export function say(command: string, text: string): void {
  process.stderr.write(`ketbook ${command}: ${text}\n`);
}

/** Says why a command has failed; the process ends with the code. */
export function fail(command: string, text: string, code = 1): void {
  say(command, text);
  process.exitCode = code;
}
