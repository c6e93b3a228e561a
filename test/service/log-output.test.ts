import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { logToFile } from "../../src/service/node/log-output.ts";
import { newFolder } from "../folder.ts";

test("a log is kept in four files of about a MiB at most, readable by their owner only, newest first", () => {
  const path = join(newFolder(), "service.log");
  const log = logToFile(path);
  for (let at = 0; at < 6000; at += 1) log("info", "line", { at, text: "x".repeat(1000) });
  const files = readdirSync(join(path, "..")).sort();
  expect(files).toEqual(["service.log", "service.log.1", "service.log.2", "service.log.3"]);
  const numbers = files.toReversed().flatMap(name => {
    const { size, mode } = statSync(join(path, "..", name));
    expect(size).toBeLessThan(1024 * 1024 + 2000);
    expect(mode & 0o777).toBe(0o600);
    const lines = readFileSync(join(path, "..", name), "utf8")
      .trimEnd()
      .split("\n");
    return lines.map(line => JSON.parse(line).at as number);
  });
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => 6000 - numbers.length + at));
});

test("a log that can't be written holds nothing up, and says afterwards how many lines are missing", () => {
  const path = join(newFolder(), "service.log");
  mkdirSync(path);
  const log = logToFile(path);
  log("info", "one");
  log("info", "two");
  rmSync(path, { recursive: true });
  log("error", "three");
  log("error", "four");
  const lines = readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map(line => JSON.parse(line));
  expect(lines).toMatchObject([{ event: "three", dropped: 2 }, { event: "four" }]);
  expect(lines[1]).not.toHaveProperty("dropped");
});

test("a log that another process has renamed or removed is made anew", async () => {
  const path = join(newFolder(), "service.log");
  const log = logToFile(path);
  const isMade = () => {
    log("info", "line");
    return existsSync(path);
  };
  log("info", "first");
  renameSync(path, `${path}.old`);
  await expect.poll(isMade, { timeout: 15_000 }).toBe(true);
  rmSync(path);
  await expect.poll(isMade, { timeout: 15_000 }).toBe(true);
  expect(readFileSync(`${path}.old`, "utf8")).toContain("first");
});
