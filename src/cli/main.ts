#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(
    `Ketbook needs Node 22.13 or later, and this is Node ${process.versions.node}: install a newer one from https://nodejs.org.\n`,
  );
  process.exitCode = 1;
} else {
  const { runCommandLine } = await import("./command-line.ts");
  await runCommandLine(process.argv);
}
