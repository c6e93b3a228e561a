import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readServiceFile } from "../../../src/contract/index.ts";
import { writeServiceFile } from "../../../src/service/node/folder.ts";
import { newFolder } from "../../folder.ts";
import { ketbook } from "../process.ts";
import { serving } from "../serving.ts";

const mode = (path: string) => statSync(path).mode & 0o777;
const modes = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map(name => [name, mode(join(folder, name)).toString(8)]));

const OWN = [
  "ketbook.sqlite",
  "ketbook.sqlite-shm",
  "ketbook.sqlite-wal",
  "lock.sqlite",
  "lock.sqlite-journal",
  "owner.key",
  "service.json",
];
const PRIVATE = Object.fromEntries(OWN.map(name => [name, "600"]));
const isRoot = process.getuid?.() === 0;

let parent: string;
let folder: string;
let umask: number;
beforeEach(() => {
  umask = process.umask(0);
  parent = newFolder();
  chmodSync(parent, 0o755);
  folder = join(parent, "data");
});
afterEach(() => {
  process.umask(umask);
});

test("a service that ends leaves the file of another, which was started when the folder was made anew", () => {
  const write = (url: string) => {
    const service = { url, apiKey: "key", pid: 1, version: "0.0.0" };
    return { service, remove: writeServiceFile(parent, service) };
  };
  const first = write("http://127.0.0.1:1/api/v1");
  const second = write("http://127.0.0.1:2/api/v1");
  first.remove();
  expect(readServiceFile(parent)).toEqual(second.service);
  second.remove();
  expect(readServiceFile(parent)).toBeUndefined();
});

describe("what is in a data folder is for its owner alone", () => {
  test("whatever the umask is", async () => {
    await using service = await serving({ folder });
    await service.ended((await service.submit()).jobQrn);
    expect(modes(folder)).toEqual(PRIVATE);
    expect(mode(folder)).toBe(0o700);
  });

  test("when the folder was there, for others to read", async () => {
    mkdirSync(folder, { mode: 0o777 });
    for (const name of ["devices", "calibrations"]) mkdirSync(join(folder, name), { mode: 0o700 });
    await using service = await serving({ folder });
    expect(modes(folder)).toEqual({ ...PRIVATE, devices: "700", calibrations: "700" });
    expect(mode(folder)).toBe(0o700);
    expect((await service.submit()).status).toBe("INITIALIZING");
  });

  test("when its files had been for others to read", async () => {
    await using first = await serving({ folder });
    await first[Symbol.asyncDispose]();
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o666);
    await using service = await serving({ folder });
    expect((await service.submit()).status).toBe("INITIALIZING");
    expect(modes(folder)).toEqual(PRIVATE);
  });

  test.runIf(isRoot)("also in a folder that others read for what else is in it", async () => {
    mkdirSync(folder, { mode: 0o755 });
    writeFileSync(join(folder, "notes.txt"), "");
    await using service = await serving({ folder });
    await service.submit();
    expect(mode(folder)).toBe(0o755);
    const read = (name: string) =>
      spawnSync("cat", [join(folder, name)], { uid: 65_534, gid: 65_534 }).status;
    expect(read("notes.txt")).toBe(0);
    for (const name of OWN) expect(read(name), name).not.toBe(0);
  });
});

describe("a data folder is refused, with what to do", () => {
  const refusal = async () => {
    const { code, stderr } = await ketbook("serve", "--port", "0", "--data", folder);
    expect(code).toBe(1);
    return stderr;
  };

  test("that others may write to and that holds other things", async () => {
    mkdirSync(folder, { mode: 0o777 });
    writeFileSync(join(folder, "notes.txt"), "");
    expect(await refusal()).toContain("Run chmod 700 on it, or choose another folder");
    expect(mode(folder)).toBe(0o777);
  });

  test("where a link stands for a file of Ketbook's", async () => {
    mkdirSync(folder, { mode: 0o777 });
    symlinkSync("/etc/passwd", join(folder, "owner.key"));
    expect(await refusal()).toContain(`${join(folder, "owner.key")} is not a plain file`);
  });

  test.runIf(isRoot)("that belongs to another user", async () => {
    mkdirSync(folder);
    chownSync(folder, 65_533, 65_533);
    chmodSync(folder, 0o777);
    const source = `import { secureFolder } from ${JSON.stringify(new URL("../../../src/service/node/folder.ts", import.meta.url).pathname)};
      process.setuid(65534);
      secureFolder(${JSON.stringify(folder)});`;
    const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", source], {
      encoding: "utf8",
    });
    expect(stderr).toContain("belongs to another user (65533)");
  });
});
