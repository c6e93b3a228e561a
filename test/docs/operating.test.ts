import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { newFolder } from "../folder.ts";
import { ketbookHere } from "../service/command-line.ts";
import { command } from "../service/process.ts";
import { createSharedKey } from "../service/shared.ts";
import { POSTGRES, sharedPostgres } from "../service/store/postgres/server.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");
const page = read("operating.md");

/** The command lines of the processes in the compose file. */
const commandLines = Array.from(read("compose.yaml").matchAll(/command: \[ketbook, (.*)\]/g), ([, words]) =>
  words!.split(", ").map(word => word.replaceAll('"', "")),
);

describe("docs/operating.md", () => {
  test("names commands and options that there are", async () => {
    const blocks = Array.from(page.matchAll(/```sh\n(.*?)```/gs), ([, block]) => block!).join("\n");
    const inline = Array.from(page.matchAll(/`(ketbook [^`]*)`/g), ([, line]) => line!);
    const lines = [...blocks.split("\n"), ...inline]
      .map(line => line.replace(/#.*/, ""))
      .filter(line => /^ketbook /.test(line));
    const helps = new Map<string, string>();
    for (const line of lines) {
      const [, name = "", sub = ""] = line.split(/\s+/);
      const path = name === "keys" ? [name, sub] : [name];
      if (!helps.has(path.join(" ")))
        helps.set(path.join(" "), (await ketbookHere(...path, "--help")).stdout);
      expect(helps.get(path.join(" ")), line).toContain(`Usage: ketbook ${path.join(" ")} `);
      for (const option of line.match(/--[a-z-]+/g) ?? [])
        expect(helps.get(path.join(" ")), line).toContain(option);
    }
    expect([...helps.keys()].toSorted()).toEqual([
      "audit",
      "backup",
      "check",
      "device",
      "export",
      "import",
      "keys create",
      "restore",
      "serve",
      "worker",
    ]);
  }, 120_000);

  test.skipIf(POSTGRES === undefined)(
    "has a compose file whose processes start and are healthy",
    async () => {
      expect(commandLines.map(([name]) => name)).toEqual(["serve", "worker"]);
      await using server = await sharedPostgres();
      const database = await server.createDatabase();
      const secret = join(newFolder(), "database");
      writeFileSync(secret, `${database}\n`);
      await createSharedKey(database, "lab");
      for (const line of commandLines) {
        const args = line.map(word => (/^(?:8080|9090)$/.test(word) ? "0" : word));
        const env = { ...process.env, KETBOOK_DATABASE_FILE: secret };
        const child = spawn(process.execPath, [...command, ...args, "--json"], {
          env,
          stdio: ["ignore", "pipe", "ignore"],
        });
        const { url, healthUrl } = JSON.parse(String((await once(child.stdout, "data"))[0]));
        const origin = new URL(url ?? healthUrl);
        origin.hostname = "127.0.0.1";
        expect((await fetch(new URL("/readyz", origin))).status).toBe(200);
        child.kill("SIGTERM");
        expect((await once(child, "exit"))[0]).toBe(0);
      }
    },
    120_000,
  );
});
