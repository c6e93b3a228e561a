import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, inject } from "vitest";
import { toMicro } from "../../src/service/billing/price.ts";
import { remembered } from "../../src/simulation/memoized.ts";
import { serving } from "../service/serving.ts";
import { createSharedKey } from "../service/shared.ts";

// biome-ignore lint/suspicious/noExplicitAny: the suite looks into answers of every shape
export type Body = any;

/** What was answered. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Body;
}

interface CallOptions {
  body?: unknown;
  /** Default: the subject's. */
  key?: string | null;
  headers?: Record<string, string>;
}

/** The service that the suite is pointed at. */
export interface Subject {
  url: string;
  legacyUrl: string;
  key: string;
  /** Key of another user; `undefined` when the suite was given none. */
  otherKey: string | undefined;
  /** An ONLINE simulator that takes qasm3. */
  device: string;
  /** Calls version 2, and checks the answer against the service's own OpenAPI document. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Submits a job that must be accepted. */
  submit(changes?: object): Promise<Body>;
  /** Waits for a job to end. */
  ended(qrn: string): Promise<Body>;
  /** Ends the service, if the suite has started it. */
  close(): Promise<void>;
}

/** A Bell pair. */
export const bell = {
  format: "qasm3",
  data: 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;',
};

/** A program that takes many seconds. */
export const long = {
  format: "qasm3",
  data: `OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[20] q;\nbit c;\nfor int i in [0:100000] { ${"h q; t q; cz q[0:18], q[1:19]; ".repeat(20)}}\nc = measure q[0];`,
};

const terminal = ["COMPLETED", "FAILED", "CANCELLED"];

/**
 * Finds the service to test: that of `KETBOOK_CONTRACT_URL` and `KETBOOK_CONTRACT_KEY` (and, for what takes two users,
 * `KETBOOK_CONTRACT_OTHER_KEY`), or the processes of `KETBOOK_CONTRACT_PROCESSES` on a
 * PostgreSQL database of their own, or the one in a page of the site at `KETBOOK_CONTRACT_SITE`, or a service of its own in this process, on an empty data folder. A service that several files share is to be tested with `--no-file-parallelism`, since balances are compared.
 */
export async function findSubject(): Promise<Subject> {
  const {
    KETBOOK_CONTRACT_URL: url,
    KETBOOK_CONTRACT_KEY: key,
    KETBOOK_CONTRACT_OTHER_KEY: otherKey,
  } = process.env;
  const device = process.env.KETBOOK_CONTRACT_DEVICE ?? "svc:svc:sim:statevector";
  if (url && key) {
    const legacyUrl = url.replace(/\/v1\/?$/, "");
    return subject({ url, legacyUrl, key, otherKey, device, close: async () => {} });
  }
  if (process.env.KETBOOK_CONTRACT_PROCESSES) {
    return subject({ ...(await shared()), device });
  }
  if (process.env.KETBOOK_CONTRACT_SITE) {
    const { bridgeService } = await import("../browser/service/bridge.ts");
    return subject({
      ...(await bridgeService(process.env.KETBOOK_CONTRACT_SITE)),
      otherKey: undefined,
      device,
    });
  }
  const service = await serving({ timing: "classroom" });
  const { key: other } = await service.user({ organization: "other", user: "other", grant: toMicro(100) });
  const { url: own, legacyUrl, apiKey } = service.service;
  return subject({
    url: own,
    legacyUrl,
    key: apiKey,
    otherKey: other,
    device,
    close: async () => await service[Symbol.asyncDispose](),
  });
}

/** Speaks to the processes that all files share, as users of an organization of its own. */
async function shared() {
  const { database, urls, legacyUrl } = inject("processes");
  const name = randomUUID();
  const [key, otherKey] = await Promise.all([
    createSharedKey(database, name, "--tier", "local", "--scope", "admin"),
    createSharedKey(database, `other-${name}`),
  ]);
  return { url: urls[0]!, urls, legacyUrl, key, otherKey, close: async () => {} };
}

interface Place extends Omit<Subject, "call" | "submit" | "ended"> {
  /** Addresses that take the calls in turns. Default: `url` alone. */
  urls?: readonly string[];
}

async function subject({ urls, ...place }: Place): Promise<Subject> {
  let calls = 0;
  const check = await answerChecker(place.url);

  async function call(method: string, path: string, options: CallOptions = {}) {
    const { body, key = place.key, headers } = options;
    calls += 1;
    const url = urls?.[calls % urls.length] ?? place.url;
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...headers,
        ...(key === null ? {} : { "x-api-key": key }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    const read = { status: answer.status, headers: answer.headers, body: (await answer.json()) as Body };
    check(method, path, read);
    return read;
  }

  return {
    ...place,
    call,
    async submit(changes = {}) {
      const request = { deviceQrn: place.device, shots: 100, program: bell, ...changes };
      const { status, body } = await call("POST", "/jobs", { body: request });
      expect(body, JSON.stringify(body)).toMatchObject({ success: true });
      expect(status).toBe(201);
      return body.data;
    },
    async ended(qrn) {
      let headers = {};
      for (const deadline = Date.now() + 25_000; Date.now() < deadline; await sleep(10)) {
        const { data } = (await call("GET", `/jobs/${qrn}`, { headers })).body;
        headers = { prefer: "wait=1" };
        if (terminal.includes(data.status)) return data;
      }
      throw new Error(`${qrn} did not end.`);
    },
  };
}

/** Validators of documents, which the files of a process share. */
const validators = new Map<string, Ajv2020>();

/** Reads the service's OpenAPI document, and checks answers against it; a service without one is not checked. */
async function answerChecker(url: string): Promise<(method: string, path: string, answer: Answer) => void> {
  const found = await fetch(`${url}/openapi.json`);
  if (!found.ok) return () => {};
  const text = await found.text();
  const document: Body = JSON.parse(text);
  const ajv = remembered(validators, text, () => {
    const made = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(made);
    return made.addSchema(document, "openapi");
  });
  const patterns = Object.keys(document.paths)
    .sort((a, b) => Number(a.includes("{")) - Number(b.includes("{")) || b.length - a.length)
    .map(path => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`) }));
  return (method, path, { status, body }) => {
    const bare = path.replace(/\?.*$/s, "");
    const known = patterns.find(each => each.pattern.test(bare));
    const operation = known && document.paths[known.path][method.toLowerCase()];
    if (!known || !operation) return;
    expect(Object.keys(operation.responses), `${method} ${path}: ${JSON.stringify(body)}`).toContain(
      String(status),
    );
    const pointer = [
      "paths",
      known.path,
      method.toLowerCase(),
      "responses",
      String(status),
      "content",
      "application/json",
      "schema",
    ]
      .map(part => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
      .join("/");
    const validate = ajv.getSchema(`openapi#/${pointer}`)!;
    expect(validate(body), `${method} ${path}: ${ajv.errorsText(validate.errors)}`).toBe(true);
  };
}
