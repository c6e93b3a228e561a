import type { KetbookOptions } from "./connection/connection.ts";
import { Ketbook } from "./ketbook.ts";
import { defaultSession, setDefaultSession } from "./session.ts";

let current: Ketbook | undefined;

/**
 * Points the helpers of this notebook to a service, from now on; what was made before stays with the service that it
 * is from. Without it, the environment is asked (`KETBOOK_URL`, `KETBOOK_API_KEY`), then `config.json` in the data
 * folder; otherwise Ketbook runs the service on this computer. Returns the new default instance.
 *
 * @example
 * ```ts
 * import { connect } from "ketbook";
 * connect({ url: "https://quantum.example/api/v1", apiKey: "…", device: "perth" });
 * ```
 *
 * @throws KetbookError when the address is not one, or the key is missing.
 */
export function connect(to: KetbookOptions | Ketbook = {}): Ketbook {
  current = to instanceof Ketbook ? to : new Ketbook(to);
  setDefaultSession(current.session);
  return current;
}

type Operation = Exclude<keyof Ketbook, "client" | "session" | "toJSON" | "toString" | symbol>;

/** Binds a helper to the method of the default instance, which is made by the first call. */
function helper<Name extends Operation>(name: Name): Ketbook[Name] {
  const call = (...args: unknown[]) => {
    current ??= new Ketbook(defaultSession());
    return (current[name] as (...args: unknown[]) => unknown)(...args);
  };
  return call as Ketbook[Name];
}

/**
 * Looks up a device by its resource name, or by a short one that only one device has.
 *
 * @example
 * ```ts
 * import { device } from "ketbook";
 * const { T1 } = (await device("perth").calibration()).qubits["0"]!; // in microseconds
 * ```
 */
export const device: Ketbook["device"] = helper("device");

/**
 * Asks for the devices of the service. Retired ones are left out unless `retired: true` asks for them.
 *
 * @example
 * ```ts
 * import { devices } from "ketbook";
 * const qpus = await devices({ deviceType: "QPU", minQubits: 20 });
 * const cheapest = await devices({ deviceType: "QPU" }).cheapest({ shots: 1000 });
 * ```
 */
export const devices: Ketbook["devices"] = helper("devices");

/**
 * Prepares a run of a program, or a batch of up to 2000 in one job, whose results come in the same order. It is
 * submitted when it is awaited.
 *
 * @example
 * ```ts
 * import { qasm, run } from "ketbook";
 * const coin = qasm`OPENQASM 3.0; include "stdgates.inc"; qubit q; bit c; h q; c = measure q;`;
 * const { counts } = await run(coin).on("statevector").shots(1000).maxCost(10);
 * const [first, second] = await run([coin, coin]).shots(100);
 * ```
 */
export const run: Ketbook["run"] = helper("run");

/**
 * Prepares a batch of one program with `input` variables, one run for each set of values, or for each point of a grid
 * of them. Its results keep their `parameters`, and show themselves over them: as lines over one, as heatmaps over two.
 *
 * The values are written into the programs as constants, where the parser finds the inputs: programs of one batch can't
 * have inputs of their own on any service, and so each program runs again anywhere.
 *
 * @example
 * ```ts
 * import { linspace, qasm, sweep } from "ketbook";
 * const turn = qasm`OPENQASM 3.0; include "stdgates.inc"; input float theta; qubit q; bit c; ry(theta) q; c = measure q;`;
 * const results = await sweep(turn, { theta: linspace(0, Math.PI, 5) }).shots(200);
 * const means = results.expectation("Z"); // shows itself as a line with its interval
 * const rows = results.toRows(); // { program, theta, outcome, count, probability, low, high }
 * const few = await sweep(turn, [{ theta: 0 }, { theta: "pi / 2" }]).shots(200);
 * ```
 *
 * @throws KetbookError for a set of values with an unknown or missing input.
 */
export const sweep: Ketbook["sweep"] = helper("sweep");

/**
 * Prepares an estimate of the mean of an observable in the final state of a program, with an honest error: terms are measured in
 * groups, shots go where the spread is, errors of readout and gates are removed or bounded, and nothing is spent beyond the
 * limit. On a simulator it is computed.
 *
 * @example
 * ```ts
 * import { estimate, qasm } from "ketbook";
 * const ansatz = qasm`OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; x q[0]; ry(-0.2235) q[1]; cx q[1], q[0];`;
 * const energy = await estimate(ansatz, "-1.0524 + 0.3979*Z0 - 0.3979*Z1 + 0.1809*X0 X1").on("statevector");
 * ```
 *
 * @throws KetbookError for anything but a program or a sum of Pauli strings.
 */
export const estimate: Ketbook["estimate"] = helper("estimate");

/**
 * Finds an estimate again by its name, which is on its card and a tag of its jobs, and takes it up where it was left, as after
 * a restart of the kernel. Nothing is submitted twice.
 *
 * @example
 * ```ts
 * import { estimate, estimation } from "ketbook";
 * const coin = "OPENQASM 3.0; include \"stdgates.inc\"; qubit q; h q;";
 * const { id } = await estimate(coin, "X0").on("statevector");
 * const { value } = await estimation(id);
 * ```
 */
export const estimation: Ketbook["estimation"] = helper("estimation");

/**
 * Looks up a job by its resource name.
 *
 * @example
 * ```ts
 * import { job, run } from "ketbook";
 * const { qrn } = await run("OPENQASM 3.0; qubit q; bit c; c = measure q;").submit();
 * const result = await job(qrn).result({ timeout: 60_000 }); // in milliseconds
 * ```
 */
export const job: Ketbook["job"] = helper("job");

/**
 * Asks for your jobs, the newest first: 50 of them when awaited, all of them with `for await`.
 *
 * @example
 * ```ts
 * import { jobs } from "ketbook";
 * const failed = await jobs({ status: "FAILED", since: "2026-11-01", tag: "course" });
 * for await (const job of jobs({ tags: { course: "qc-1" } })) if (job.cost) break;
 * ```
 */
export const jobs: Ketbook["jobs"] = helper("jobs");

/** Looks up a group by its resource name. */
export const group: Ketbook["group"] = helper("group");

/**
 * Makes a group; close it yourself, or declare it with `await using`. With a function, the group closes at its end.
 *
 * @example
 * ```ts
 * import { createGroup, run } from "ketbook";
 * const homework = await createGroup({ name: "homework", maxTTL: 600 }, async group => {
 *   await run("OPENQASM 3.0; qubit q; bit c; c = measure q;").in(group).submit();
 *   return group.wait();
 * });
 * ```
 */
export const createGroup: Ketbook["createGroup"] = helper("createGroup");

/** Asks for your groups, the newest first: 50 of them when awaited, all of them with `for await`. */
export const groups: Ketbook["groups"] = helper("groups");

/**
 * Asks what your organization may spend.
 *
 * @example
 * ```ts
 * import { credits } from "ketbook";
 * const { svcCredits } = await credits();
 * ```
 */
export const credits: Ketbook["credits"] = helper("credits");

/** Asks what credits cost. */
export const pricing: Ketbook["pricing"] = helper("pricing");

/**
 * Sums up what your jobs cost, by day, by device or by tag. Jobs that were deleted are not in it, since no list has
 * them.
 *
 * @example
 * ```ts
 * import { spending } from "ketbook";
 * const { cost, jobs } = await spending({ since: "2026-11-01" }); // in credits
 * const perCourse = await spending({ by: { tag: "course" }, timezone: "Europe/Berlin" });
 * ```
 */
export const spending: Ketbook["spending"] = helper("spending");

/**
 * Asks how much of each simulator's daily quota is used up; or day by day how many jobs of each completed, or of one
 * simulator.
 *
 * @example
 * ```ts
 * import { usage } from "ketbook";
 * const today = await usage();
 * const week = await usage().days(7);
 * const month = await usage("statevector").days(30).in("Europe/Berlin");
 * ```
 */
export const usage: Ketbook["usage"] = helper("usage");
