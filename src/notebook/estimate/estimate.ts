import { KetbookError } from "../../client/index.ts";
import { describeValue, type RecordedProgram, type RuntimeDevice } from "../../contract/index.ts";
import { card, formatCount, formatCredits, type RenderedView } from "../../display/index.ts";
import { isObservable, type Observable } from "../../results/index.ts";
import { checkMaxCost } from "../jobs/run-arguments.ts";
import { checkRuntimeOptions, type RuntimeOptions } from "../jobs/runtime-options.ts";
import { pointsOf } from "../jobs/sweep.ts";
import type { WaitOptions } from "../jobs/wait.ts";
import { type Inputs, type InputValue, inputBinder } from "../programs/inputs.ts";
import { QasmProgram } from "../programs/program.ts";
import { ProgramList } from "../programs/program-list.ts";
import { observableName } from "../results/expectation-list.ts";
import { LazyPromise, LazyValue } from "../values/lazy-value.ts";
import { requireName } from "../values/options.ts";
import type { Estimation } from "./estimation.ts";
import { type EstimatePlanList, listPlans } from "./plans.ts";
import { type EstimateService, type EstimateSettings, type Mitigation, prepare } from "./prepare.ts";
import { workOut } from "./work.ts";

interface Prepared extends Omit<EstimateSettings, "programs" | "inputs"> {
  readonly given: readonly RecordedProgram[];
  readonly bound: Inputs;
  readonly points: readonly Inputs[];
  readonly device?: RuntimeDevice | PromiseLike<RuntimeDevice> | string | undefined;
  readonly id: string;
  /** True for an id that `as` chose, which stays. */
  readonly isNamed?: boolean;
}

const MITIGATIONS: readonly Mitigation[] = ["readout", "zne"];
const MAX_POINTS = 200;

/**
 * An estimate that is prepared. `await` submits its rounds one after the other and returns the means with their errors; it
 * never submits a round twice. Each method returns a new estimate and leaves this one as it is.
 */
export class Estimate extends LazyPromise<Estimation> {
  readonly #service: EstimateService;
  readonly #prepared: Prepared;

  /** @internal */
  constructor(service: EstimateService, prepared: Prepared) {
    super();
    this.#service = service;
    this.#prepared = prepared;
  }

  #with(change: Partial<Prepared>): Estimate {
    const { id, isNamed } = this.#prepared;
    const next = { ...this.#prepared, id: isNamed ? id : crypto.randomUUID(), ...change };
    const twice = Object.keys(next.bound).find(input => Object.hasOwn(next.points[0]!, input));
    if (twice === undefined) return new Estimate(this.#service, next);
    throw new KetbookError(`estimate: ${twice} has values from inputs(…) and from over(…). Leave one out.`);
  }

  /** Name of the estimate, by which `estimation(id)` finds it again. It is a tag of its jobs. */
  get id(): string {
    return this.#prepared.id;
  }

  /** Chooses the device, as `run(…).on(…)` does. */
  on(device: RuntimeDevice | PromiseLike<RuntimeDevice> | string): Estimate {
    const isDevice = (typeof device === "string" && device.trim() !== "") || Object(device) === device;
    if (isDevice) return this.#with({ device });
    throw new KetbookError(`on(${describeValue(device)}): give one of devices(), or a name such as "perth".`);
  }

  /** Sets the values of `input` variables, the same at all points. */
  inputs(inputs: Inputs): Estimate {
    for (const program of this.#prepared.given) inputBinder(program, "inputs").check(inputs);
    return this.#with({ bound: { ...this.#prepared.bound, ...inputs } });
  }

  /**
   * Estimates at each point of a grid of inputs: `.over({ theta: linspace(0, 1, 20) })`.
   *
   * @throws KetbookError for an input that the program lacks, and for more than 200 points.
   */
  over(grid: { readonly [input: string]: InputValue | Iterable<InputValue> }): Estimate {
    const { given } = this.#prepared;
    if (given.length > 1) throw new KetbookError("over: sweep one program, or give several, not both.");
    const refuse = () => new KetbookError(`over: give 1 to ${MAX_POINTS} points.`);
    const points = pointsOf(Object(grid), MAX_POINTS, refuse);
    if (points.length === 0) throw refuse();
    for (const point of points) inputBinder(given[0]!, "over").check(point);
    return this.#with({ points });
  }

  /** Asks for intervals of at most ± `error`, at 95%: rounds continue until they are, within `shots` and `maxCost`. */
  within(error: number): Estimate {
    checkError("within", error);
    return this.#with({ within: error });
  }

  /** Sets the shots of all programs and rounds together. Default: 10,000, or with `within` as many as that takes. */
  shots(shots: number): Estimate {
    if (Number.isSafeInteger(shots) && shots > 0) return this.#with({ shots });
    throw new KetbookError(`shots(${describeValue(shots)}): shots must be a whole number above 0.`);
  }

  /**
   * Limits the cost of all rounds together, in credits. Each round is quoted first, and cut down to what is left; where a job is
   * billed by its time, a tenth is kept in reserve.
   */
  maxCost(credits: number): Estimate {
    return this.#with({ maxCost: checkMaxCost(credits) });
  }

  /**
   * Chooses which errors of a QPU are removed: `mitigate("readout", "zne")`, or none with `mitigate()`. Default: both, where the
   * service says how the device's qubits are connected; of a program without two-qubit gates, readout.
   */
  mitigate(...ways: Mitigation[]): Estimate {
    const wrong = ways.find(way => !MITIGATIONS.includes(way));
    if (wrong === undefined) return this.#with({ mitigation: [...new Set(ways)] });
    throw new KetbookError(`mitigate(${describeValue(wrong)}): give "readout", "zne", both, or nothing.`);
  }

  /** Sets options of the device, as `run(…).options(…)` does. Each round has its own seed, derived from `seed`. */
  options(options: RuntimeOptions): Estimate {
    checkRuntimeOptions(options);
    return this.#with({ runtimeOptions: { ...this.#prepared.runtimeOptions, ...options } });
  }

  /** Names the estimate's jobs. */
  named(name: string): Estimate {
    return this.#with({ name });
  }

  /**
   * Chooses the `id` by which the estimate is found again: the same one is never submitted twice. Awaiting another estimate of
   * that name is an error.
   */
  as(id: string): Estimate {
    return this.#with({ id: requireName("estimation", id), isNamed: true });
  }

  /** Lists ways to estimate, with the shots that they take for an error, or the error that they leave. Nothing is submitted. */
  plans(within?: number): LazyValue<EstimatePlanList> {
    if (within !== undefined) checkError("plans", within);
    return new LazyValue("Plans", async () => {
      const qrn = await this.#service.names.resolve(this.#prepared.device);
      return listPlans(this.#service, this.settings, qrn, within ?? this.#prepared.within);
    });
  }

  /** Writes the programs of a round, before any is repeated. Nothing is submitted. */
  programs(): LazyValue<ProgramList> {
    return new LazyValue("Programs", async () => {
      const qrn = await this.#service.names.resolve(this.#prepared.device);
      return ProgramList.ofRecords((await prepare(this.#service, this.settings, qrn)).texts);
    });
  }

  /** Submits what is not yet submitted, waits as `await` does, and returns the means. */
  result(options?: WaitOptions): Promise<Estimation> {
    const { id, device } = this.#prepared;
    return workOut(this.#service, { id, device, settings: this.settings }, options);
  }

  /** @internal */
  protected override work(): Promise<Estimation> {
    return this.result();
  }

  /** @internal What is estimated, inputs bound. */
  get settings(): EstimateSettings {
    const { given, bound, points, device: _, id: __, isNamed: ___, ...settings } = this.#prepared;
    const bind = (program: RecordedProgram, inputs: Inputs): RecordedProgram =>
      program.format === "qasm3" || program.format === "qasm2"
        ? inputBinder(program, "estimate").bind({ ...bound, ...inputs })
        : program;
    return {
      ...settings,
      programs: given.flatMap(program => points.map(point => bind(program, point))),
      inputs: given.flatMap(() => points),
    };
  }

  /** @internal */
  protected override render(): RenderedView {
    const { observables, points, given, within, shots, maxCost, mitigation, device, id } = this.#prepared;
    const many = given.length * points.length;
    const goal = [
      within !== undefined && `within ± ${within}`,
      shots !== undefined && formatCount(shots, "shots"),
      maxCost !== undefined && `at most ${formatCredits(maxCost)}`,
    ].filter(Boolean);
    return card({
      kind: "estimate",
      title: observables.map(observableName).join(", ").slice(0, 200),
      facts: Object.entries({
        ...(many > 1 && { Points: String(many) }),
        Device: typeof device === "string" ? device : String(Object(device).qrn ?? "the default"),
        Goal: goal.join(", ") || "10,000 shots",
        Mitigation: mitigation
          ? mitigation.join(", ") || "none"
          : "readout and zne, where the device allows it",
        Name: id,
      }),
      note: "Await it to submit it; .plans() compares ways.",
    });
  }
}

function checkError(method: string, error: unknown): void {
  if (typeof error === "number" && error > 0 && Number.isFinite(error)) return;
  throw new KetbookError(
    `${method}(${describeValue(error)}): the error must be a number above 0, such as 0.02.`,
  );
}

export function estimate(
  service: EstimateService,
  given: string | RecordedProgram | readonly (string | RecordedProgram)[],
  observables: Observable | readonly Observable[],
): Estimate {
  const programs = [given].flat().map(program => QasmProgram.of(program).toJSON());
  if (programs.length === 0) throw new KetbookError("estimate([], …): give at least one program.");
  const asked = (Array.isArray(observables) ? observables : [observables]) as Observable[];
  const wrong = asked.find(observable => !isObservable(observable));
  if (wrong !== undefined || asked.length === 0)
    throw new KetbookError(
      `estimate: ${asked.length === 0 ? "no observable" : describeValue(wrong)} is not an observable. Give a sum of Pauli strings, such as "-1.05 + 0.4*Z0 - 0.01*Z0 Z1" or { XX: 0.5 }.`,
    );
  return new Estimate(service, {
    given: programs,
    bound: {},
    points: [{}],
    observables: asked,
    runtimeOptions: {},
    id: crypto.randomUUID(),
  });
}
