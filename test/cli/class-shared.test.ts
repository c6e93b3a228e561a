import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "../folder.ts";
import { ketbookHere } from "../service/command-line.ts";
import { bellJob, caller } from "../service/serving.ts";
import { sharedProcess } from "../service/shared.ts";
import { isPostgresMissing, sharedPostgres } from "../service/store/postgres/server.ts";

test.skipIf(isPostgresMissing())(
  "a class in a PostgreSQL database has budgets that hold over all processes",
  { timeout: 180_000 },
  async () => {
    await using server = await sharedPostgres();
    const place = ["--database", await server.createDatabase()];
    const roster = join(newFolder(), "qc.csv");
    writeFileSync(roster, "ada\nben\n");
    const made = await ketbookHere("class", "create", "--from", roster, "--waiting", "3", ...place);
    const [ada, ben] = made.stdout
      .split("\r\n")
      .slice(1, 3)
      .map(line => line.split(",")[1]!);
    await using first = await sharedProcess("serve", place[1]!, "--workers", "0");
    await using second = await sharedProcess("serve", place[1]!, "--workers", "0");
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        caller([first, second][at % 2]!.url, ada!).call("POST", "/jobs", bellJob()),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(37);
    await using _worker = await sharedProcess("worker", place[1]!, "--timing", "instant");
    const { call, submit, ended } = caller(second.url, ben!);
    await ended((await submit()).jobQrn);
    const { svcCredits, budget } = (await call("GET", "/billing/credits/balance")).body.data;
    expect([svcCredits, budget.waitingJobs]).toEqual([49.625, 0]);
    for (const { body } of answers.filter(({ status }) => status === 201))
      await caller(first.url, ada!).ended(body.data.jobQrn);
    const rows = JSON.parse((await ketbookHere("class", "report", "qc", "--json", ...place)).stdout);
    expect(rows).toMatchObject([
      { user: "ada", jobs: 3, completed: 3, creditsSpent: 1.125, creditsLeft: 48.875 },
      { user: "ben", jobs: 1, completed: 1, storedBytes: budget.storedBytes },
    ]);
    expect((await ketbookHere("check", ...place)).stdout).toContain("The ledger balances");
    expect((await ketbookHere("class", "end", "qc", ...place)).stdout).toContain("2 keys of qc are revoked");
    expect((await call("GET", "/jobs")).status).toBe(401);
  },
);
