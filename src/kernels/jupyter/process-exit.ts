import { currentExecution } from "./execution-context.ts";

/** Makes `process.exit()` end the cell that calls it, and not the kernel with everything that other cells have made. */
export function containExit(): void {
  const { exit } = process;
  process.exit = code => {
    if (!currentExecution.getStore()) return exit(code);
    const message = `process.exit(${code ?? ""}) ended this cell. The kernel continues; restart it for a fresh start.`;
    throw Object.assign(new Error(message), { name: "ProcessExit" });
  };
}
