import { expect, vi } from "vitest";
import { runCommandLine } from "../../src/cli/command-line.ts";

/** Returns what `ketbook` prints for a command with `--help`. */
export async function helpOf(...command: string[]): Promise<string> {
  let printed = "";
  const write = vi.spyOn(process.stdout, "write").mockImplementation(text => {
    printed += text;
    return true;
  });
  const exit = vi.spyOn(process, "exit").mockImplementation(code => {
    throw new Error(`exit code ${code}`);
  });
  try {
    await expect(runCommandLine(["node", "ketbook", ...command, "--help"])).rejects.toThrow("exit code 0");
    return printed;
  } finally {
    write.mockRestore();
    exit.mockRestore();
  }
}
