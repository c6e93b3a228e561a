#!/usr/bin/env node
import { unsupportedNode } from "../node-version.ts";

const reason = unsupportedNode();
if (reason) {
  process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
} else {
  const { runCommandLine } = await import("./command-line.ts");
  await runCommandLine(process.argv);
}
