import type { TslabModules } from "./internals.ts";

/** What to tell the user where this version of tslab lacks something that the plugin hooks; undefined otherwise. */
export function warningOf(lacking: readonly string[], version: string): string | undefined {
  if (lacking.length === 0) return undefined;
  return (
    `Ketbook does not know this tslab, ${version}: it lacks ${lacking.join(", ")}. ` +
    "Where that is needed, the kernel does what tslab does by itself. Mend it with: npm install tslab@1.0.22\n"
  );
}

/** Says something with the first cell that tslab runs by itself. */
export function warnInFirstCell(jupyter: TslabModules["jupyter"], warning: string | undefined): void {
  const handler = jupyter?.JupyterHandlerImpl?.prototype;
  const execute = handler?.handleExecuteImpl;
  if (!warning || !handler || !execute) return void (warning && process.stderr.write(warning));
  handler.handleExecuteImpl = function (request, writeStream, ...others) {
    handler.handleExecuteImpl = execute;
    writeStream("stderr", warning);
    return execute.call(this, request, writeStream, ...others);
  };
}
