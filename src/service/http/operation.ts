import type { z } from "zod";
import { type Pagination, pageOf, paginate, successOf } from "../../contract/envelope.ts";
import type { ErrorCode } from "../../contract/errors.ts";
import type { Caller } from "../accounts/caller.ts";
import { JsonText } from "../json-text.ts";
import { takeTurn } from "./turns.ts";

/** Names of the variable parts of a path, such as `job_qrn` in `/jobs/{job_qrn}/result`. */
type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** Arguments of an operation. */
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

/** The body of an answer: strings, which are streamed once they are long, or a stream that is passed on as it comes. */
export type Content = Iterable<string> | AsyncIterable<string> | ReadableStream<Uint8Array>;

/** One operation of the interface: how it is called, what it answers, and what does it. */
export interface Operation {
  /** Name, as the interface has it. */
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
  /** Whether the body may be left out. */
  readonly bodyOptional: boolean;
  /** HTTP status of a body or query that is not valid. */
  readonly invalidStatus: number;
  readonly status: number;
  /** Media type of the answer. */
  readonly mediaType: string;
  /** The whole answer; of a stream, one line or event of it. */
  readonly answer: z.ZodType;
  /** Errors of its own, besides those that follow from what it takes. */
  readonly errors: readonly ErrorCode[];
  /** Whether a key is needed. */
  readonly requiresAuth: boolean;
  /** Whether an `Idempotency-Key` makes a repetition safe. */
  readonly acceptsIdempotencyKey: boolean;
  /** Whether `Prefer: wait=N` lets the answer wait for a change. */
  readonly acceptsWait: boolean;
  handle(request: Request<unknown, unknown>): Promise<Content>;
}

/** Declares an operation. */
export interface Declaration<Path extends string, Query, Body>
  extends Partial<
    Omit<Operation, "id" | "path" | "tag" | "summary" | "query" | "body" | "answer" | "handle">
  > {
  id: string;
  path: Path;
  summary: string;
  query?: z.ZodType<Query>;
  body?: z.ZodType<Body>;
}

/**
 * Declares an operation that writes its answer itself, in any media type. Default: `GET`, with a key, answered by JSON
 * under 200; an invalid request is refused with 400.
 */
export function defineOperation<Path extends string, Query = undefined, Body = undefined>(
  declaration: Declaration<Path, Query, Body> & {
    answer: z.ZodType;
    handle(request: Request<Query, Body, PathParameter<Path>>): Promise<Content>;
  },
): Operation {
  return {
    method: "get",
    tag: "",
    status: 200,
    mediaType: "application/json",
    errors: [],
    requiresAuth: true,
    acceptsIdempotencyKey: false,
    acceptsWait: false,
    bodyOptional: false,
    invalidStatus: 400,
    query: undefined,
    body: undefined,
    example: undefined,
    ...declaration,
    handle: request => declaration.handle(request as Request<Query, Body, PathParameter<Path>>),
  };
}

/** Declares an operation that answers with one payload. */
export function operation<T, Path extends string, Query = undefined, Body = undefined>(
  declaration: Declaration<Path, Query, Body> & {
    data: z.ZodType<T>;
    handle(request: Request<Query, Body, PathParameter<Path>>): Promise<T | JsonText<T>>;
  },
): Operation {
  const { data, handle, ...rest } = declaration;
  return defineOperation({
    ...rest,
    answer: successOf(data),
    async handle(request) {
      const payload = await handle(request);
      if (!(payload instanceof JsonText)) return [SUCCESS, JSON.stringify(payload), "}"];
      const { pieces } = payload;
      return Symbol.iterator in pieces ? success(pieces) : successLater(pieces);
    },
  });
}

/** Begins a successful answer, before its payload; `}` ends it. */
const SUCCESS = '{"success":true,"data":';

function* success(data: Iterable<string>): Generator<string> {
  yield SUCCESS;
  yield* data;
  yield "}";
}

async function* successLater(data: AsyncIterable<string>): AsyncGenerator<string> {
  yield SUCCESS;
  yield* data;
  yield "}";
}

/** One page of a list, and how long the whole list is. */
export interface Rows<T> {
  rows: T[];
  total: number;
}

/** Declares an operation that answers with a page of a list. */
export function paginated<T, Path extends string, Query extends { page: number; limit: number }>(
  declaration: Declaration<Path, Query, undefined> & {
    query: z.ZodType<Query>;
    row: z.ZodType<T>;
    handle(request: Request<Query, undefined, PathParameter<Path>>): Promise<Rows<T>>;
  },
): Operation {
  const { row, handle, ...rest } = declaration;
  return defineOperation({
    ...rest,
    answer: pageOf(row),
    async handle(request) {
      await takeTurn(request.caller.userId);
      const { rows, total } = await handle(request);
      const pagination: Pagination = paginate(request.query.page, request.query.limit, total);
      const meta = { timestamp: new Date().toISOString() };
      return [JSON.stringify({ success: true, data: rows, pagination, meta })];
    },
  });
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
