import { Command } from "commander";
import { doctorCommand } from "../../src/cli/doctor.ts";
import { kernelCommand } from "../../src/cli/kernel.ts";
import { runCommand } from "../../src/cli/run.ts";

const program = new Command("ketbook");
for (const command of [runCommand(), kernelCommand(), doctorCommand()]) program.addCommand(command);
await program.parseAsync();
