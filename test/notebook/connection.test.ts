import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { connect, KetbookError } from "../../src/index.ts";
import { entry } from "../service/process.ts";
import { useServiceHere } from "./own-service.ts";

const { folder, service: hosted } = await useServiceHere();
const library = entry("index.ts", "index.js").href;

/** Counts the devices in a process of its own, with an environment and a data folder of its own. */
async function countDevices(env: Record<string, string>, before = ""): Promise<string> {
  const source = `import { connect, devices } from "${library}"; ${before}
    console.log(await devices().then(all => all.length, error => error.name + ": " + error.message));`;
  const options = { env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env } };
  return (
    await promisify(execFile)(process.execPath, ["--input-type=module", "-e", source], options)
  ).stdout.trim();
}

test("connect() points the helpers to a hosted service", async () => {
  const options = JSON.stringify({ url: hosted.url, apiKey: hosted.apiKey });
  expect(Number(await countDevices({ KETBOOK_DATA: "/nowhere" }, `connect(${options});`))).toBeGreaterThan(0);
});

test("the environment points them there too", async () => {
  const env = { KETBOOK_URL: hosted.url, KETBOOK_API_KEY: hosted.apiKey, KETBOOK_DATA: "/nowhere" };
  expect(Number(await countDevices(env))).toBeGreaterThan(0);
});

test("so does a config file, which the environment overrules", async () => {
  const path = join(folder, "config.json");
  writeFileSync(path, JSON.stringify({ url: hosted.url, apiKey: hosted.apiKey }));
  expect(Number(await countDevices({ KETBOOK_DATA: folder }))).toBeGreaterThan(0);
  const warnings = 'process.on("warning", ({ message }) => console.log(message));';
  expect(await countDevices({ KETBOOK_API_KEY: "k", KETBOOK_DATA: folder }, warnings)).toMatch(
    /^KETBOOK_API_KEY is not used: set KETBOOK_URL .*\n[1-9]\d*$/,
  );
  const elsewhere = { KETBOOK_URL: "http://127.0.0.1:1/api/v1", KETBOOK_API_KEY: "k", KETBOOK_DATA: folder };
  expect(await countDevices(elsewhere)).toMatch(/^ConnectionError: GET \/devices at http:\/\/127\.0\.0\.1:1/);
  writeFileSync(path, "{ url: oops");
  expect(await countDevices({ KETBOOK_DATA: folder })).toMatch(/^KetbookError: .*config\.json is not JSON/);
});

test("an unknown key is refused with what to do, and without the key", async () => {
  const answer = await countDevices({ KETBOOK_URL: hosted.url, KETBOOK_API_KEY: "wrong-secret" });
  expect(answer).toMatch(/^AuthenticationError: [\s\S]*KETBOOK_API_KEY/);
  expect(answer).not.toContain("wrong-secret");
});

test("an address or key that cannot be one is refused at once", () => {
  expect(() => connect({ url: "ftp://quantum.example", apiKey: "k" })).toThrow(KetbookError);
  expect(() => connect({ url: "https://quantum.example/api/v1", apiKey: "" })).toThrow("the key is missing");
});
