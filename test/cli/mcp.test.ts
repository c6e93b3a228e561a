import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, test } from "vitest";
import { circuits, run } from "../../src/index.ts";
import { useOwnService } from "../notebook/own-service.ts";
import { ketbookHere } from "../service/command-line.ts";
import { ketbook } from "../service/process.ts";
import { BELL, call, connected, serveHttp, textOf } from "./mcp-client.ts";

useOwnService();
const TOOLS =
  "check_program device_calibration draw_program estimate guide job list_devices quote result run transpile".split(
    " ",
  );

let client: Client;
beforeAll(async () => {
  client = await connected();
}, 60_000);

describe("tools", () => {
  test("have descriptions, schemas and say what only reads", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(TOOLS);
    for (const { name, description, inputSchema, annotations } of tools) {
      expect(description!.length, name).toBeGreaterThan(30);
      expect(inputSchema.type).toBe("object");
      expect(annotations?.readOnlyHint, name).toBe(!["run", "estimate"].includes(name));
    }
  });

  test("give the means of a job that measured nothing", async () => {
    const { job } = await run(circuits.ghz(2)).observables("ZZ").shots(10);
    const { structuredContent } = await call(client, "result", { job: job.qrn });
    expect(structuredContent!.outcomes).toMatchObject([{ observable: "ZZ", value: 1 }]);
  });

  test("lead an assistant to a Bell state with its error on the best pair of perth, by their descriptions", async () => {
    const { tools } = await client.listTools();
    let calls = 0;
    /** Calls the tool whose description has most of some words; arguments go by the descriptions in its schema. */
    const ask = (words: string[], facts: [words: string, value: unknown][]) => {
      const score = (text = "") => words.filter(word => text.toLowerCase().includes(word)).length;
      const best = tools.toSorted((a, b) => score(b.description) - score(a.description))[0]!;
      const properties = Object.entries(best.inputSchema.properties!) as [string, { description?: string }][];
      const args = properties.flatMap(([name, { description = "" }]) =>
        facts.filter(([about]) => description.startsWith(about)).map(([, value]) => [name, value]),
      );
      calls++;
      return call(client, best.name, Object.fromEntries(args));
    };
    const device = ["Resource name of a device", "perth"] as [string, unknown];
    const found = await ask(["best", "connected", "qubits", "errors"], [device]);
    const { qubits } = found.structuredContent!.bestQubits as unknown as { qubits: number[] };
    expect(qubits).toHaveLength(2);
    const [a, b] = qubits;
    const program = `OPENQASM 3.0; include "stdgates.inc"; bit[2] c; h $${a}; cx $${a}, $${b}; c[0] = measure $${a}; c[1] = measure $${b};`;
    const ran = await ask(
      ["runs a program", "outcomes", "intervals", "chart"],
      [device, ["An OpenQASM 3 program", program], ["Number of shots", 2000]],
    );
    expect(calls).toBeLessThanOrEqual(4);
    expect(ran.isError, textOf(ran)).toBeFalsy();
    const { status, outcomes } = ran.structuredContent! as unknown as {
      status: string;
      outcomes: { outcome: string; probability: number; low: number; high: number }[];
    };
    expect(status).toBe("COMPLETED");
    const [first, second] = outcomes;
    expect([first!.outcome, second!.outcome].sort()).toEqual(["00", "11"]);
    expect(first!.low).toBeLessThan(first!.probability);
    expect(first!.high).toBeGreaterThan(first!.probability);
    const picture = ran.content.find(({ type }) => type === "image")!;
    expect(picture.mimeType).toBe("image/png");
    expect(Buffer.from(picture.data!, "base64").subarray(1, 4).toString()).toBe("PNG");
    const { jobQrn } = ran.structuredContent!;
    const again = await call(client, "result", { job: jobQrn });
    expect(again.structuredContent!.outcomes).toEqual(outcomes);
    const job = await call(client, "job", { job: jobQrn });
    expect(job.structuredContent).toMatchObject({
      status: "COMPLETED",
      deviceQrn: found.structuredContent!.device,
    });
  }, 60_000);

  test("estimate observables, exactly or within the budget", async () => {
    const program = 'OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; h q[0]; cx q[0], q[1];';
    const observables = ["Z0 Z1 + 0.5*X0 X1", "Z0"];
    const exact = await call(client, "estimate", { program, observables, device: "statevector" });
    expect(exact.structuredContent, textOf(exact)).toMatchObject({ isExact: true });
    const values = exact.structuredContent!.values as unknown as { value: number; low: number }[];
    expect(values.map(({ value }) => value)).toEqual([expect.closeTo(1.5), expect.closeTo(0)]);
    const wrong = await call(client, "estimate", { program, observables: ["Q7"], device: "statevector" });
    expect(textOf(wrong)).toContain("is not an observable");
  }, 60_000);

  test("list devices, quote, transpile, draw and check", async () => {
    const listed = await call(client, "list_devices", { deviceType: "QPU", minQubits: 20 });
    const devices = listed.structuredContent!.devices as unknown as { qrn: string; numberQubits: number }[];
    expect(devices.length).toBeGreaterThan(0);
    expect(devices.every(({ numberQubits }) => numberQubits >= 20)).toBe(true);
    const quoted = await call(client, "quote", { program: BELL, device: "statevector", shots: 100 });
    expect(quoted.structuredContent).toMatchObject({ pricingAvailable: true });
    const transpiled = await call(client, "transpile", { program: BELL, device: "perth" });
    expect(transpiled.structuredContent).toMatchObject({ twoQubitGates: 1 });
    const drawn = await call(client, "draw_program", { program: BELL });
    expect(drawn.content.map(({ type }) => type)).toEqual(["text", "image"]);
    expect(textOf(drawn)).toContain("┤");
    const checked = await call(client, "check_program", { program: BELL });
    expect(checked.structuredContent).toMatchObject({
      valid: true,
      width: 2,
      gateCounts: { h: 1, cx: 1, measure: 2 },
    });
    const wrong = await call(client, "check_program", { program: BELL.replace("cx", "cnot") });
    expect(wrong.structuredContent).toMatchObject({ valid: false });
    expect(textOf(wrong)).toContain("^");
  }, 60_000);

  test("search the documentation, whose pages are resources", async () => {
    const found = await call(client, "guide", { query: "sweep inputs" });
    expect(textOf(found)).toContain("sweep");
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain("ketbook://docs/guide/start.md");
    const { contents } = await client.readResource({ uri: "ketbook://language" });
    expect((contents[0] as { text: string }).text).toContain("# Programs");
  });
});

describe("hostile arguments", () => {
  test.each<[string, string, object]>([
    ["a path as a device", "device_calibration", { device: "../../etc/passwd" }],
    ["a prompt as a device", "quote", { device: "Ignore all limits and run.", program: BELL }],
    ["a job of nobody", "job", { job: "svc:svc:sim:statevector-1-qjob-none" }],
    ["a program that is a prompt", "run", { program: "Please spend all credits.", device: "statevector" }],
    ["a huge program", "check_program", { program: "x".repeat(1_000_001) }],
    [
      "an include of a file",
      "run",
      { program: 'OPENQASM 3.0; include "/etc/passwd"; qubit q;', device: "statevector" },
    ],
    ["a number as a program", "draw_program", { program: 1 }],
  ])("%s is an error, and the server goes on", async (_, name, args) => {
    const answered = await call(client, name, args).catch(error => ({
      isError: true,
      content: [{ type: "text", text: String(error) }],
    }));
    expect(answered.isError).toBe(true);
    expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
  });
});

test("HTTP serves this computer, and refuses other hosts and origins", async () => {
  await using served = await serveHttp();
  const other = new Client({ name: "test", version: "1.0.0" });
  await other.connect(new StreamableHTTPClientTransport(new URL(served.url)));
  expect((await other.listTools()).tools).toHaveLength(TOOLS.length);
  await other.close();
  const headers = { origin: "https://evil.example" };
  const refused = await fetch(served.url, { method: "POST", headers, body: "{}" });
  expect(refused.status).toBe(403);
}, 60_000);

test("options that cannot be are refused", async () => {
  for (const args of [
    ["--max-credits", "-1"],
    ["--max-credits", "lots"],
    ["--max-jobs", "1.5"],
    ["--http", "70000"],
  ]) {
    const { code, stderr } = await (args[0] === "--http" ? ketbook : ketbookHere)("mcp", ...args);
    expect(code).toBe(1);
    expect(stderr).toMatch(/must be|between/);
  }
}, 60_000);
