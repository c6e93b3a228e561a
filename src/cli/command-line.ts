import { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };

/** Every command, loaded when it is asked for, so none pays for the others. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./serve.ts")).serveCommand(),
  worker: async () => (await import("./shared.ts")).workerCommand(),
  keys: async () => (await import("./keys.ts")).keysCommand(),
  class: async () => (await import("./class.ts")).classCommand(),
  device: async () => (await import("./device.ts")).deviceCommand(),
  check: async () => (await import("./store-commands.ts")).checkCommand(),
  audit: async () => (await import("./store-commands.ts")).auditCommand(),
  backup: async () => (await import("./store-commands.ts")).backupCommand(),
  restore: async () => (await import("./store-commands.ts")).restoreCommand(),
  export: async () => (await import("./store-commands.ts")).exportCommand(),
  import: async () => (await import("./store-commands.ts")).importCommand(),
  run: async () => (await import("./run.ts")).runCommand(),
  grade: async () => (await import("./grade.ts")).gradeCommand(),
  course: async () => (await import("./course.ts")).courseCommand(),
  mcp: async () => (await import("./mcp.ts")).mcpCommand(),
  kernel: async () => (await import("./kernel.ts")).kernelCommand(),
  doctor: async () => (await import("./doctor.ts")).doctorCommand(),
};

export async function runCommandLine(argv: readonly string[]): Promise<void> {
  const program = new Command("ketbook")
    .description("Quantum computing in TypeScript notebooks")
    .version(manifest.version)
    .showHelpAfterError("(ketbook --help shows what there is)");
  const asked = argv[2] ?? "";
  const names = Object.hasOwn(commands, asked) ? [asked] : Object.keys(commands);
  for (const name of names) program.addCommand(await commands[name]!());
  await program.parseAsync(argv);
}
