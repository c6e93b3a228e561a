import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "../folder.ts";
import { ketbookHere } from "../service/command-line.ts";
import { ketbook } from "../service/process.ts";

test.each([
  ["keys", "list"],
  ["keys", "revoke", "1"],
  ["audit"],
  ["class", "report", "physics"],
  ["class", "end", "physics"],
])("%s %s says that a folder has no store, and makes none", async (...command) => {
  const folder = join(newFolder(), "typo");
  const { code, stderr } = await ketbookHere(...command.filter(word => word), "--data", folder);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`There is no store in ${folder}.`)]);
  expect(existsSync(folder)).toBe(false);
});

test("a key needs the names of an organization and a user", async () => {
  const folder = join(newFolder(), "typo");
  const { code, stderr } = await ketbookHere(
    "keys",
    "create",
    "--org",
    " ",
    "--user",
    "ada",
    "--data",
    folder,
  );
  expect([code, stderr]).toEqual([1, expect.stringContaining("It must not be empty.")]);
  expect(existsSync(folder)).toBe(false);
});

test("a backup goes into a folder that exists", async () => {
  const folder = newFolder();
  expect((await ketbookHere("keys", "create", "--org", "o", "--user", "u", "--data", folder)).code).toBe(0);
  const { code, stderr } = await ketbookHere("backup", join(folder, "none", "file"), "--data", folder);
  expect([code, stderr]).toEqual([
    1,
    `ketbook backup: There is no folder ${join(folder, "none")} for the file.\n`,
  ]);
});

test("a server of tools says in a sentence why it can't start", async () => {
  const { code, stderr } = await ketbook("mcp", "--url", "nourl");
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^ketbook mcp: .*"nourl" is not an address such as https:/),
  ]);
  expect(stderr.trim().split("\n")).toHaveLength(1);
});
