import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { Agent } from "undici";
import { bell, caller, statevector } from "../service/serving.ts";
import { createFuzzer, type FuzzedRequest, type Json } from "./fuzzer.ts";
import { checkInvariants, untilAllEnded } from "./invariants.ts";
import { createRandom } from "./random.ts";
import { quantile, type Report } from "./report.ts";
import { makeUser, probeLiveness, startSubject, temporaryFolder } from "./subject.ts";

const CLIENTS = 8;
const TIMEOUT_MS = 30_000;
const MAX_KNOWN = 200;

const job = (changes: object = {}) => ({ deviceQrn: statevector, shots: 10, program: bell, ...changes });

/** Valid bodies to begin from. */
const SAMPLES = {
  createJob: [
    job(),
    job({ shots: 0, runtimeOptions: { statevector: true } }),
    job({ program: [bell, bell], name: "n", tags: { a: 1, b: "c", d: true } }),
    job({ deviceQrn: "svc:svc:sim:stabilizer", program: { format: "qasm3", data: "not a program" } }),
    job({ runtimeOptions: { seed: 1, memory: true, inputs: { theta: 1 } } }),
  ],
  createJobGroup: [{}, { name: "g", maxTTL: 60, tags: { a: 1 }, metadata: { b: [1] } }],
};

/** Sends requests made from the service's own OpenAPI document; each must be answered as the document says. */
export async function fuzzRequests({
  requests,
  seed = 5,
}: {
  requests: number;
  seed?: number;
}): Promise<Report> {
  using place = temporaryFolder();
  const { folder } = place;
  await using service = await startSubject(folder);
  const user = await makeUser(service, folder, "fuzzer");
  const { call } = caller(service.url, service.apiKey);
  const document: Json = await (await fetch(`${service.url}/openapi.json`)).json();
  const validate = answerValidator(document);
  const known = {
    job_qrn: [] as string[],
    group_qrn: [] as string[],
    device_qrn: [statevector],
    deviceQrn: [statevector],
  };
  const { jobQrn } = await user.submit();
  known.job_qrn.push(jobQrn);
  known.device_qrn.push(...(await call("GET", "/devices")).body.data.map(({ qrn }: Json) => qrn));
  const next = createFuzzer(document, createRandom(seed), known, SAMPLES);
  const liveness = probeLiveness(service.url);
  const agent = new Agent({
    connections: CLIENTS,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  const statuses: Record<string, number> = {};
  const violations: string[] = [];
  const accepted = new Set<string>();
  const complain = (request: FuzzedRequest, said: string) => {
    if (violations.length < 20)
      violations.push(
        `${request.method} ${request.path.slice(0, 200)} ${request.body?.slice(0, 200) ?? ""}: ${said}`,
      );
  };
  let left = requests;

  async function client(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const request = next();
      const { method, path, headers } = request;
      const { pathname } = new URL(service.url);
      try {
        const answer = await agent.request({
          origin: new URL(service.url).origin,
          path: pathname + path,
          method: method as "GET",
          headers: { ...headers, "x-api-key": service.apiKey },
          body: request.body ?? null,
        });
        const body: Json = await answer.body.json();
        const kind = `${Math.floor(answer.statusCode / 100)}xx`;
        statuses[kind] = (statuses[kind] ?? 0) + 1;
        const problem = validate(request, answer.statusCode, body);
        if (problem) complain(request, problem);
        if (answer.statusCode === 201 && body.data?.jobQrn) {
          accepted.add(body.data.jobQrn);
          if (known.job_qrn.length < MAX_KNOWN) known.job_qrn.push(body.data.jobQrn);
        } else if (answer.statusCode === 201 && known.group_qrn.length < MAX_KNOWN) {
          known.group_qrn.push(body.data.groupJobQrn);
        }
      } catch (error) {
        complain(request, `no answer (${(error as Error).message})`);
      }
    }
  }

  const started = performance.now();
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const seconds = (performance.now() - started) / 1000;
  await agent.close();
  const times = await liveness.stop();
  await user.ended(jobQrn);
  violations.push(...(await untilAllEnded(folder)), ...(await checkInvariants(service, folder, accepted)));
  const figures = {
    requests,
    "requests/s": requests / seconds,
    ...Object.fromEntries(Object.entries(statuses).toSorted()),
    "jobs accepted": accepted.size,
    "healthz p99, ms": quantile(times, 0.99),
    "healthz max, ms": Math.max(...times),
  };
  return { trial: "fuzzed requests", figures, violations };
}

/** Makes a function that says how an answer differs from what the document describes. */
function answerValidator(
  document: Json,
): (request: FuzzedRequest, status: number, body: unknown) => string | undefined {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, "openapi");
  const compiled = new Map<string, ValidateFunction | undefined>();
  return ({ template, method }, status, body) => {
    const parts = ["paths", template, method.toLowerCase(), "responses", String(status)];
    const key = parts.join(" ");
    if (!compiled.has(key)) {
      const described = parts.reduce<Json>((at, part) => at?.[part], document);
      const pointer = [...parts, "content", "application/json", "schema"].map(part =>
        encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")),
      );
      compiled.set(key, described && ajv.getSchema(`openapi#/${pointer.join("/")}`));
    }
    const validate = compiled.get(key);
    if (status >= 500 || !validate) return `answered with ${status}: ${JSON.stringify(body).slice(0, 300)}`;
    return validate(body) ? undefined : `${status} with ${ajv.errorsText(validate.errors)}`;
  };
}
