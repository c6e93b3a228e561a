import type { Context as Call, Hono } from "hono";
import type { z } from "zod";
import { type ErrorCode, type Pagination, paginate } from "../../contract/index.ts";
import { pageOf, successOf } from "../../contract/schemas/index.ts";
import type { Caller } from "../accounts/caller.ts";
import { HttpError } from "../http-error.ts";
import { JsonText } from "../store/documents.ts";
import {
  type Admission,
  allowAnonymous,
  type CallState,
  checkPath,
  pathOf,
  readQuery,
  requireAuth,
} from "./admission.ts";
import { type BodyReader, takeTurn, toBody } from "./body-reader.ts";
import { validate } from "./errors.ts";

/** Names of the variable parts of a path, such as `job_qrn` in `/jobs/{job_qrn}/result`. */
type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

export interface Request<Query, Body, Parameter extends string = string> {
  caller: Caller;
  /** Variable parts of the path, by name. */
  params: Record<Parameter, string>;
  query: Query;
  body: Body;
  /** Names the request in the log. */
  requestId: string;
  header(name: string): string | undefined;
}

/** The body of an answer in JSON, which is streamed once it is long. */
export type Content = Iterable<string> | AsyncIterable<string>;

/** One operation of the interface: how it is called, what it answers, and what does it. */
export interface Operation {
  readonly id: string;
  readonly method: "get" | "post" | "delete";
  /** Path below the base address, with `{name}` for its variable parts. */
  readonly path: string;
  /** Heading that it is documented under. */
  readonly tag: string;
  readonly summary: string;
  readonly query: z.ZodType | undefined;
  readonly body: z.ZodType | undefined;
  /** Body that can be sent as it is. */
  readonly example: object | undefined;
  readonly bodyOptional: boolean;
  /** HTTP status of a body or query that is not valid. */
  readonly invalidStatus: number;
  readonly status: number;
  /** The whole answer. */
  readonly answer: z.ZodType;
  /** Specific errors, in addition to those that follow from its parameters. */
  readonly errors: readonly ErrorCode[];
  readonly requiresAuth: boolean;
  /** Whether an `Idempotency-Key` makes a repetition safe. */
  readonly acceptsIdempotencyKey: boolean;
  /** Whether `Prefer: wait=N` lets the answer wait for a change. */
  readonly acceptsWait: boolean;
  handle(request: Request<unknown, unknown>): Promise<Content>;
}

interface Declaration<Path extends string, Query, Body>
  extends Partial<
    Omit<Operation, "id" | "path" | "tag" | "summary" | "query" | "body" | "answer" | "handle">
  > {
  id: string;
  path: Path;
  summary: string;
  query?: z.ZodType<Query>;
  body?: z.ZodType<Body>;
}

/** An operation is a `GET` with a key, answered under 200, unless it is declared otherwise. */
const DEFAULTS = {
  method: "get",
  tag: "",
  status: 200,
  errors: [],
  requiresAuth: true,
  acceptsIdempotencyKey: false,
  acceptsWait: false,
  bodyOptional: false,
  invalidStatus: 400,
  query: undefined,
  body: undefined,
  example: undefined,
} as const;

/** Declares an operation that answers with one payload. */
export function operation<T, Path extends string, Query = undefined, Body = undefined>({
  data,
  handle,
  ...rest
}: Declaration<Path, Query, Body> & {
  data: z.ZodType<T>;
  handle(request: Request<Query, Body, PathParameter<Path>>): Promise<T | JsonText<T>>;
}): Operation {
  return {
    ...DEFAULTS,
    ...rest,
    answer: successOf(data),
    async handle(request) {
      const payload = await handle(request as Request<Query, Body, PathParameter<Path>>);
      return payload instanceof JsonText ? success(payload.pieces) : [SUCCESS, JSON.stringify(payload), "}"];
    },
  };
}

/** Begins a successful answer, before its payload; `}` ends it. */
const SUCCESS = '{"success":true,"data":';

async function* success(data: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  yield SUCCESS;
  yield* data;
  yield "}";
}

/** Declares an operation that answers with a page of a list, and says how long the whole list is. */
export function paginated<T, Path extends string, Query extends { page: number; limit: number }>({
  row,
  handle,
  ...rest
}: Declaration<Path, Query, undefined> & {
  query: z.ZodType<Query>;
  row: z.ZodType<T>;
  handle(request: Request<Query, undefined, PathParameter<Path>>): Promise<{ rows: T[]; total: number }>;
}): Operation {
  return {
    ...DEFAULTS,
    ...rest,
    answer: pageOf(row),
    async handle(given) {
      const request = given as Request<Query, undefined, PathParameter<Path>>;
      await takeTurn(request.caller.userId);
      const { rows, total } = await handle(request);
      const pagination: Pagination = paginate(request.query.page, request.query.limit, total);
      const meta = { timestamp: new Date().toISOString() };
      return [JSON.stringify({ success: true, data: rows, pagination, meta })];
    },
  };
}

/** Puts operations under one heading of the documentation. */
export function withTag(tag: string, operations: readonly Operation[]): Operation[] {
  return operations.map(each => ({ ...each, tag }));
}

const AUTH_ERRORS = [
  "NO_VALID_AUTHENTICATION",
  "INVALID_API_KEY_FORMAT",
  "INVALID_API_KEY",
  "FORBIDDEN",
] as const;

/** Returns every error that an operation may answer with: those of each step that its requests go through, and its own. */
export function errorsOf({ errors, requiresAuth, path, query, body }: Operation): Set<ErrorCode> {
  const hasParameters = path.includes("{");
  return new Set<ErrorCode>([
    ...errors,
    ...(hasParameters ? (["NOT_FOUND"] as const) : []),
    ...(requiresAuth ? AUTH_ERRORS : []),
    "RATE_LIMITED",
    ...(hasParameters || query || body ? (["VALIDATION_ERROR"] as const) : []),
    ...(body ? (["PAYLOAD_TOO_LARGE"] as const) : []),
    "INTERNAL",
    "STORE_UNAVAILABLE",
    "STORAGE_FULL",
  ]);
}

interface OperationParts {
  /** Path that those of the operations are below. */
  base: string;
  admission: Admission;
  readBody: BodyReader;
}

/** Routes operations. Other methods on their paths are refused with 405. */
export function routeOperations(
  app: Hono<CallState>,
  operations: readonly Operation[],
  { base, admission, readBody }: OperationParts,
): void {
  const toPattern = (path: string) => base + path.replaceAll(/\{(\w+)\}/g, ":$1");
  const routed = operations.toSorted(byPath);
  for (const each of routed) {
    const admit = each.requiresAuth ? requireAuth(admission) : allowAnonymous(admission);
    app.on(each.method.toUpperCase(), toPattern(each.path), admit, checkPath, call =>
      answer(call, each, readBody),
    );
  }
  for (const [path, known] of Map.groupBy(routed, each => each.path)) {
    const allowed = known.map(each => each.method.toUpperCase()).join(", ");
    app.all(toPattern(path), allowAnonymous(admission), call => {
      const message = `${pathOf(call).slice(0, 200)} takes ${allowed}, not ${call.req.method}.`;
      throw new HttpError("METHOD_NOT_ALLOWED", message, { headers: { Allow: allowed } });
    });
  }
}

/** Sorts fixed parts of paths before variable ones, so `/jobs/group` is not taken for a job. */
function byPath(a: Operation, b: Operation): number {
  return a.path.replaceAll("{", "~") < b.path.replaceAll("{", "~") ? -1 : 1;
}

/** Checks the query and the body of a call, and answers it. */
async function answer(call: Call<CallState>, operation: Operation, readBody: BodyReader): Promise<Response> {
  const query = operation.query && validate(operation.query, readQuery(call.req.url));
  const respond = async (body: unknown) => {
    const content = await operation.handle({
      caller: call.get("caller"),
      params: call.req.param(),
      query,
      body,
      requestId: call.get("requestId"),
      header: name => call.req.header(name),
    });
    return call.body(await toBody(content), operation.status as 200, { "Content-Type": "application/json" });
  };
  const { body: schema, bodyOptional, invalidStatus } = operation;
  if (!schema) return respond(undefined);
  return readBody(call, given =>
    respond(validate(schema, given === undefined && bodyOptional ? {} : given, invalidStatus)),
  );
}
