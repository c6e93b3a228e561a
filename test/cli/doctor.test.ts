import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { listening, send } from "../client/answering.ts";
import { newFolder } from "../folder.ts";
import { ketbookHere } from "../service/command-line.ts";
import { serving } from "../service/serving.ts";

afterEach(() => vi.unstubAllEnvs());

const folder = newFolder();

/** Runs the doctor with an environment. Returns its exit status, and what it says of the data folder and the service. */
async function doctor(env: Readonly<Record<string, string>> = {}) {
  const settings = { KETBOOK_URL: "", KETBOOK_API_KEY: "", KETBOOK_DATA: join(folder, "data"), ...env };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const { code, stdout } = await ketbookHere("doctor");
  const finding = (name: string) =>
    stdout
      .split("\n")
      .find(line => line.slice(2).startsWith(name))
      ?.replace(/ {2,}/, " ");
  return { code, data: finding("Data folder"), service: finding("Service") };
}

describe("the doctor tries the service of notebooks", () => {
  test("and says whose it is if none is named, without starting it", async () => {
    mkdirSync(join(folder, "data"));
    const { code, data, service } = await doctor();
    expect({ code, data, service }).toEqual({
      code: 0,
      data: `✓ Data folder ${join(folder, "data")}`,
      service: "✓ Service this computer's, which starts when it is needed",
    });
    expect(readdirSync(join(folder, "data"))).toEqual([]);
  });

  test("by its key, from the environment or a config file", async () => {
    await using own = await serving();
    const { url, apiKey } = own.service;
    const good = await doctor({ KETBOOK_URL: url, KETBOOK_API_KEY: apiKey });
    expect(good).toMatchObject({ code: 0, service: `✓ Service ${url} answers, and accepts the key` });
    const wrong = await doctor({ KETBOOK_URL: url, KETBOOK_API_KEY: "wrong-secret" });
    expect(wrong.code).toBe(1);
    expect(wrong.service).toMatch(/^✗ Service http\S+: .*Check .* key in KETBOOK_URL and KETBOOK_API_KEY$/);
    expect(wrong.service).not.toContain("wrong-secret");
    const data = newFolder();
    writeFileSync(join(data, "config.json"), JSON.stringify({ url, apiKey: "wrong-secret" }), {
      mode: 0o600,
    });
    const configured = await doctor({ KETBOOK_DATA: data });
    expect(configured.code).toBe(1);
    expect(configured.service).toMatch(
      /^✗ .*Check the address and the key in the data folder's config\.json$/,
    );
  });

  test("and says what is wrong with its address", async () => {
    await using silent = await listening(() => {});
    await using other = await listening((_, response) => send(response, { body: "<html>" }));
    for (const [url, reason] of [
      ["http://127.0.0.1:1/api/v1", /nothing answers there \(ECONNREFUSED\).* Check the address/],
      [silent.origin, /was not answered within 5000 ms\. Check the address/],
      [other.origin, /not a JSON object.* Check the address/],
      ["ftp://quantum.example", /"ftp:.*" is not an address such as https:/],
    ] as const) {
      const { code, service } = await doctor({ KETBOOK_URL: url, KETBOOK_API_KEY: "k" });
      expect(code).toBe(1);
      expect(service).toMatch(/^✗ Service .*KETBOOK_URL and KETBOOK_API_KEY/);
      expect(service).toMatch(reason);
    }
    const missing = await doctor({ KETBOOK_URL: "http://127.0.0.1:1/api/v1" });
    expect(missing).toMatchObject({
      code: 1,
      service: expect.stringContaining("the key is missing. Create one"),
    });
  }, 30_000);
});

describe("the doctor tries the data folder", () => {
  test("and refuses a file in its place, or in the place of a folder above it", async () => {
    const file = join(newFolder(), "file");
    writeFileSync(file, "", { mode: 0o755 });
    for (const path of [file, join(file, "below")])
      expect(await doctor({ KETBOOK_DATA: path })).toMatchObject({
        code: 1,
        data: `✗ Data folder ${file} is not a folder: move it elsewhere, or set KETBOOK_DATA to a folder of yours`,
      });
  });

  test.skipIf(process.platform !== "linux")("and refuses one in which nothing can be made", async () => {
    const { code, data } = await doctor({ KETBOOK_DATA: "/proc/ketbook" });
    expect(code).toBe(1);
    expect(data).toMatch(/^✗ .*\/proc can't be written \(E\w+\): allow it, or set KETBOOK_DATA to a folder/);
  });

  test.skipIf(process.platform === "win32")(
    "and refuses one with other things that others may write to",
    async () => {
      const shared = newFolder();
      writeFileSync(join(shared, "other.txt"), "");
      chmodSync(shared, 0o777);
      const { code, data } = await doctor({ KETBOOK_DATA: shared });
      expect(code).toBe(1);
      expect(data).toMatch(/^✗ .*Others may write to .* chmod 700 on it, or choose .* with KETBOOK_DATA\.$/);
    },
  );
});
