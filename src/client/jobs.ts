import { type JobQuery, type JobRequest, jobOf, type RuntimeJob } from "../contract/job.ts";
import { tolerant } from "../contract/kit.ts";
import { type Program, programsOf } from "../contract/program.ts";
import { type NoQuote, type Quote, quoteOf } from "../contract/quote.ts";
import { type RuntimeResult, resultsOf } from "../contract/result.ts";
import { type Page, pageReader } from "./page.ts";
import type { CallOptions, Transport } from "./transport.ts";

const job = jobOf(tolerant);
const result = resultsOf(tolerant);
const program = programsOf(tolerant);
const quote = quoteOf(tolerant);
const page = pageReader(job);

const at = (qrn: string, rest = "") => `/jobs/${encodeURIComponent(qrn)}${rest}`;

/** The job operations of the service. */
export interface JobsClient {
  create(request: JobRequest, options?: CallOptions): Promise<RuntimeJob>;
  get(qrn: string, options?: CallOptions): Promise<RuntimeJob>;
  list(query?: JobQuery, options?: CallOptions): Promise<Page<RuntimeJob>>;
  result(qrn: string, options?: CallOptions): Promise<RuntimeResult | RuntimeResult[]>;
  program(qrn: string, options?: CallOptions): Promise<Program | Program[]>;
  quote(request: { deviceQrn: string; shots?: number }, options?: CallOptions): Promise<Quote | NoQuote>;
}

/** Opens the job operations over a transport. */
export function jobsClient(send: Transport): JobsClient {
  return {
    create: async (body, options) =>
      (await send({ method: "POST", path: "/jobs", body, data: job }, options)).data,
    get: async (qrn, options) => (await send({ method: "GET", path: at(qrn), data: job }, options)).data,
    list: async (query = {}, options) =>
      page(await send({ method: "GET", path: "/jobs", query, data: page.rows }, options)),
    result: async (qrn, options) =>
      (await send({ method: "GET", path: at(qrn, "/result"), data: result }, options)).data,
    program: async (qrn, options) =>
      (await send({ method: "GET", path: at(qrn, "/program"), data: program }, options)).data,
    quote: async (query, options) =>
      (await send({ method: "GET", path: "/jobs/cost-estimate", query, data: quote }, options)).data,
  };
}
