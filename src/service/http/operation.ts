import type { z } from "zod";
import { type Pagination, pageOf, paginate, successOf } from "../../contract/envelope.ts";
import type { ErrorCode } from "../../contract/errors.ts";
import type { Caller } from "../accounts/caller.ts";
import { JsonText } from "../json-text.ts";

/** What an operation is given. */
export interface Request<Q, B> {
  caller: Caller;
  /** Parts of the path, by name. */
  params: Record<string, string>;
  query: Q;
  body: B;
  header(name: string): string | undefined;
}

/** One operation of the interface: how it is called, what it answers, and what does it. */
export interface Operation {
  /** Name, as the interface has it. */
  id: string;
  method: "get" | "post" | "delete";
  /** Path below the base address, with `{name}` for its variable parts. */
  path: string;
  tag: string;
  summary: string;
  query: z.ZodType | undefined;
  body: z.ZodType | undefined;
  /** The body may be left out. */
  bodyOptional: boolean;
  /** HTTP status of a body or query that is not valid. */
  invalidStatus: number;
  status: number;
  /** The whole answer. */
  answer: z.ZodType;
  errors: readonly ErrorCode[];
  /** Whether a key is needed. */
  guarded: boolean;
  /** Whether an `Idempotency-Key` makes a repetition safe. */
  acceptsIdempotencyKey: boolean;
  /** Gives the answer's body, in pieces. */
  handle(request: Request<unknown, unknown>): Promise<Iterable<string> | AsyncIterable<string>>;
}

interface Definition<Q, B> {
  id: string;
  method: Operation["method"];
  path: string;
  tag: string;
  summary: string;
  query?: z.ZodType<Q>;
  body?: z.ZodType<B>;
  bodyOptional?: boolean;
  invalidStatus?: number;
  status?: number;
  errors?: readonly ErrorCode[];
  guarded?: boolean;
  acceptsIdempotencyKey?: boolean;
}

/** Defines an operation that answers with one payload. */
export function operation<T, Q = undefined, B = undefined>(
  definition: Definition<Q, B> & {
    data: z.ZodType<T>;
    handle(request: Request<Q, B>): Promise<T | JsonText<T>>;
  },
): Operation {
  const { data, handle, ...rest } = definition;
  return complete(rest, successOf(data), async request => {
    const given = await handle(request);
    return successful(given instanceof JsonText ? given.pieces : [JSON.stringify(given)]);
  });
}

async function* successful(data: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  yield '{"success":true,"data":';
  yield* data;
  yield "}";
}

/** One page of a list, and how long the whole list is. */
export interface Rows<T> {
  rows: T[];
  total: number;
}

/** Defines an operation that answers with a page of a list. */
export function listing<T, Q extends { page: number; limit: number }>(
  definition: Definition<Q, undefined> & {
    query: z.ZodType<Q>;
    row: z.ZodType<T>;
    handle(request: Request<Q, undefined>): Promise<Rows<T>>;
  },
): Operation {
  const { row, handle, ...rest } = definition;
  return complete(rest, pageOf(row), async request => {
    const { rows, total } = await handle(request);
    const pagination: Pagination = paginate(request.query.page, request.query.limit, total);
    const meta = { timestamp: new Date().toISOString() };
    return [JSON.stringify({ success: true, data: rows, pagination, meta })];
  });
}

function complete<Q, B>(
  definition: Definition<Q, B>,
  answer: z.ZodType,
  handle: (request: Request<Q, B>) => Promise<Iterable<string> | AsyncIterable<string>>,
): Operation {
  return {
    status: 200,
    errors: [],
    guarded: true,
    acceptsIdempotencyKey: false,
    bodyOptional: false,
    invalidStatus: 400,
    query: undefined,
    body: undefined,
    ...definition,
    answer,
    handle: request => handle(request as Request<Q, B>),
  };
}
