import { inspect } from "node:util";
import { expect, test } from "vitest";
import { devices } from "../../src/index.ts";
import { bundleOf } from "./bundle.ts";
import { useServiceHere } from "./own-service.ts";

await useServiceHere();

test("devices() lists what there is, without retired ones", async () => {
  const all = await devices();
  expect(all.map(device => device.qrn)).toContain("svc:svc:sim:statevector");
  expect(all.filter(device => device.status === "RETIRED")).toHaveLength(0);
});

test("retired devices are listed when asked for", async () => {
  const retired = await devices({ retired: true });
  expect(retired.map(device => device.status)).toContain("RETIRED");
});

test("devices are filtered by the service's fields and by functions, and the question stays as it was", async () => {
  const simulators = devices({ deviceType: "SIMULATOR", status: "ONLINE" });
  const large = simulators.filter(device => device.numberQubits! > 1_000_000);
  expect(await large).toHaveLength(0);
  expect((await simulators).length).toBeGreaterThan(0);
});

test("devices show themselves as a table, one as a card, and print as text", async () => {
  const all = await devices();
  expect(bundleOf(all)["text/html"]).toContain("<table");
  expect(inspect(all)).toContain("svc:svc:sim:statevector".split(":").at(-1));
  expect(bundleOf(all[0]!)["text/html"]).toContain(all[0]!.qrn);
});

test("a device with a calibration shows its map and errors a moment later, and a table their medians", async () => {
  const all = await devices();
  const perth = all.find(({ qrn }) => qrn === "ibm:emulated:qpu:perth")!;
  expect(bundleOf(perth)["text/html"]).not.toContain("<img");
  await perth.settled();
  expect(bundleOf(perth)["text/html"]).toContain('<img src="data:image/svg+xml;base64,');
  expect(bundleOf(perth)["text/plain"]).toMatch(/Errors +cx [\d.]+ %, readout [\d.]+ %/);
  expect(bundleOf(all)["text/html"]).not.toContain("Two-qubit error");
  await all.settled();
  expect(bundleOf(all)["text/plain"]).toMatch(/perth .* [█▉▊▋▌▍▎▏░]+ [\d.]+ %/);
  expect(bundleOf(all)["text/plain"]).toMatch(/sim:statevector .* — /);
});

test("a question that is not awaited shows the devices a moment later", async () => {
  const asked = devices();
  expect(bundleOf(asked)["text/plain"]).toBe("Devices …");
  await asked.settled();
  expect(bundleOf(asked)["text/html"]).toContain("<table");
});

test("a device's calibration shows itself as a map, and one without says so in words", async () => {
  const [perth] = await devices({ qrn: "ibm:emulated:qpu:perth" });
  const calibration = await perth!.calibration();
  expect(Object.keys(calibration.qubits)).toHaveLength(7);
  expect(Object.keys(bundleOf(calibration))).toContain("application/vnd.vegalite.v5+json");
  const [simulator] = await devices({ qrn: "svc:svc:sim:statevector" });
  await expect(Promise.resolve(simulator!.calibration())).rejects.toThrow(/calibration/i);
});

test("the least busy device of some is one that takes jobs", async () => {
  expect((await devices({ deviceType: "QPU" }).leastBusy())?.status).toBe("ONLINE");
  expect(await devices({ numberQubits: 0, search: "no such word" }).leastBusy()).toBeUndefined();
  expect(() => devices().filter({ status: "ONLINE" } as never)).toThrow(
    /Fields belong into devices\(\{ … \}\)/,
  );
});
