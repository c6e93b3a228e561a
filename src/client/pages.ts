import { isRecord, type Pagination, type Reader, recordReader, SCHEMAS } from "../contract/index.ts";
import { ServiceError } from "./errors/index.ts";
import type { CallOptions } from "./options.ts";
import { type Rows, rowsReader, runOf } from "./records.ts";
import { systemTiming } from "./timing.ts";
import type { Transport } from "./transport.ts";

/** One page of a list. */
export interface Page<T> extends Rows<T> {
  /** Position of the page, as far as the service reports it. */
  pagination: Pagination;
}

/**
 * A list on the service. `await` it for the first page; iterate over it for every row of every page, each row once,
 * fetched as they are needed and no further than the reader goes.
 */
export interface Pages<T> extends Promise<Page<T>>, AsyncIterable<T> {
  /** The pages one by one, for members of a page other than its rows. */
  pages(): AsyncIterable<Page<T>>;
}

/** Pages that are fetched of one list, and milliseconds for which they are, whatever the service says. */
const MAX_PAGES = 2000;
const MAX_FETCHING_MS = 600_000;

const readPagination = recordReader<{ [member in keyof Pagination]: Pagination[member] | null }>(
  SCHEMAS.Pagination,
);

/** Makes the list operation of one kind of row; rows are told apart by their identifier. */
export function listOperation<T, Q extends { page?: number }>(
  send: Transport,
  path: string,
  readRow: Reader<T>,
  identifierOf: (row: T) => string,
) {
  const data = rowsReader(readRow);
  return (query: Q = {} as Q, options?: CallOptions): Pages<T> => {
    const start = query.page ?? 1;
    const fetch = async (page: number): Promise<Page<T>> => {
      const wanted = { ...query, page: page === start ? query.page : page };
      const answer = await send({ method: "GET", path, query: wanted, data }, options);
      const count = answer.data.rows.length + answer.data.unread.length;
      return { ...answer.data, pagination: paginationOf(answer.body.pagination, page, count) };
    };
    let first: Promise<Page<T>> | undefined;
    const firstPage = () => (first ??= fetch(start));

    /** Ends with the list, or where a service that says there is more has nothing new. */
    async function* pages(): AsyncGenerator<Page<T>> {
      const seen = new Set<string>();
      let fetching = 0;
      for (let number = start; ; number += 1) {
        if (number - start >= MAX_PAGES || fetching > MAX_FETCHING_MS)
          throw endlessError(path, number - start);
        const began = systemTiming.now();
        const page = number === start ? await firstPage() : await fetch(number);
        fetching += systemTiming.now() - began;
        const rows = page.rows.filter(row => !seen.has(identifierOf(row)));
        for (const row of rows) seen.add(identifierOf(row));
        if (rows.length > 0 || page.unread.length > 0) yield { ...page, rows };
        if (rows.length === 0 || !page.pagination.hasNext) return;
      }
    }

    return {
      // biome-ignore lint/suspicious/noThenProperty: being awaitable is the point
      then: (onFulfilled, onRejected) => firstPage().then(onFulfilled, onRejected),
      catch: onRejected => firstPage().catch(onRejected),
      finally: onFinally => firstPage().finally(onFinally),
      [Symbol.toStringTag]: "Pages",
      pages,
      async *[Symbol.asyncIterator]() {
        for await (const { rows } of pages()) yield* rows;
      },
    };
  };
}

/** Rows that are looked through for one submission. */
const MAX_LOOKED_THROUGH = 1000;

/** Finds what was submitted under an idempotency key; undefined if it is not among the first rows. */
export async function findSubmitted<T extends object>(
  pages: Pages<T>,
  key: string | null,
): Promise<T | undefined> {
  let left = MAX_LOOKED_THROUGH;
  for await (const row of pages) {
    if (runOf(row) === key) return row;
    left -= 1;
    if (left === 0) return undefined;
  }
  return undefined;
}

function endlessError(path: string, pages: number): ServiceError {
  const message = `GET ${path}: gave up after ${pages} pages, because the service always reports more. Request fewer rows, such as those since a date.`;
  const body = { status: 200, code: "TOO_MANY_PAGES", details: [], requestId: null, retryAfter: null };
  return new ServiceError(message, body);
}

/** A service that says nothing of pages is taken to have sent everything. */
function paginationOf(value: unknown, requestedPage: number, count: number): Pagination {
  const given = readPagination(isRecord(value) ? value : {});
  const page = given.page ?? requestedPage;
  const limit = given.limit ?? Math.max(1, count);
  const total = given.total ?? (page - 1) * limit + count;
  const totalPages = given.totalPages ?? (given.hasNext ? page + 1 : page);
  const hasNext = given.hasNext !== false && page < totalPages;
  return { page, limit, total, totalPages, hasNext, hasPrev: given.hasPrev ?? page > 1 };
}
