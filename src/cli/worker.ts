import { Command, Option } from "commander";
import { TIMINGS } from "../contract/timing.ts";
import { METHOD_NAMES } from "../service/catalogue/methods.ts";
import { StoreError } from "../service/storage-errors.ts";
import { parseDuration, retentionOption } from "./duration.ts";
import { type Place, withDatabaseOptions } from "./place.ts";
import type { SharedOptions } from "./shared.ts";
import { atPlace } from "./store.ts";
import { vendorCode } from "./vendor-code.ts";
import { wholeNumber } from "./whole-number.ts";

/** `ketbook worker`: runs jobs of a service whose processes share a database. */
export function workerCommand(): Command {
  return withDatabaseOptions(new Command("worker"))
    .description("run jobs of the services on a PostgreSQL database")
    .option("--workers <number>", "jobs to run at a time (default: one a processor)", wholeNumber(1024, 1))
    .option(
      "--lease <time>",
      "after which its jobs go to others when the database does not hear of it (default: 30s)",
      parseDuration,
    )
    .option(
      "--memory <bytes>",
      "that the state of a job may take; larger jobs are left to others (default: half of what is free)",
      wholeNumber(Number.MAX_SAFE_INTEGER, 1),
    )
    .option("--devices <pattern...>", "devices whose jobs it runs, such as svc:* (default: all)")
    .addOption(
      new Option("--methods <name...>", "methods of simulation that it offers (default: all)").choices(
        METHOD_NAMES,
      ),
    )
    .option(
      "--health-port <number>",
      "answer /healthz, /readyz and /metrics on this port; 0: any that is free (default: none)",
      wholeNumber(65_535),
    )
    .option("--health-host <address>", "address to answer them on", "127.0.0.1")
    .option("--catalogue <file>", "a JSON file of devices in place of the standard ones")
    .option("--vendor-code <name>", "vendor code that `ketbook serve` was given (default: svc)", vendorCode)
    .addOption(
      new Option("--timing <timing>", "how long jobs of emulated QPUs take (default: classroom)").choices(
        TIMINGS,
      ),
    )
    .option("--log-file <file>", "write the log to a file, which is rotated")
    .addOption(retentionOption())
    .option("--json", "print a line of JSON once it runs")
    .action((options: Omit<SharedOptions, "database"> & Place & { json?: boolean }) =>
      atPlace("worker", options, {
        async folder() {
          throw new StoreError(
            "A worker runs jobs of a service on a PostgreSQL database: give --database, --database-file or KETBOOK_DATABASE.",
          );
        },
        async database(database) {
          const { runShared } = await import("./shared.ts");
          await runShared("worker", { ...options, database }, undefined, ({ healthUrl }) => {
            const line = JSON.stringify({ pid: process.pid, healthUrl });
            process.stdout.write(options.json ? `${line}\n` : "Ketbook runs jobs.\n");
          });
        },
      }),
    );
}
