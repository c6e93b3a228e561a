import { type Pagination, paginate, paginationSchema } from "../contract/envelope.ts";
import { type Reader, readerOf, ShapeError } from "./reader.ts";
import type { Answer, CallOptions, Transport } from "./transport.ts";

/** One page of a list. */
export interface Page<T> {
  rows: T[];
  pagination: Pagination;
}

/**
 * A list on the service. `await` it for the first page; iterate over it for every row of every page, fetched as
 * they are needed and no further than the reader goes.
 */
export interface Pages<T> extends PromiseLike<Page<T>>, AsyncIterable<T> {}

const readPagination = readerOf(paginationSchema);

/** Makes the list operation of one kind of row. */
export function listOperation<T, Q extends { page?: number }>(
  send: Transport,
  path: string,
  readRow: Reader<T>,
) {
  const data = (value: unknown): T[] => {
    if (Array.isArray(value)) return value.map(readRow);
    throw new ShapeError("data should be a list");
  };
  return (query: Q = {} as Q, options?: CallOptions): Pages<T> => {
    const fetch = async (page = query.page) =>
      readPage(await send({ method: "GET", path, query: { ...query, page }, data }, options));
    let first: Promise<Page<T>> | undefined;
    const firstPage = () => (first ??= fetch());
    return {
      // biome-ignore lint/suspicious/noThenProperty: being awaitable is the point
      then: (onFulfilled, onRejected) => firstPage().then(onFulfilled, onRejected),
      async *[Symbol.asyncIterator]() {
        for (let page = await firstPage(); ; page = await fetch(page.pagination.page + 1)) {
          yield* page.rows;
          if (!page.pagination.hasNext || page.rows.length === 0) return;
        }
      },
    };
  };
}

/** A service that says nothing of pages is taken to have sent everything. */
function readPage<T>({ data, whole }: Answer<T[]>): Page<T> {
  const everything = () => paginate(1, Math.max(1, data.length), data.length);
  return { rows: data, pagination: whole.pagination ? readPagination(whole.pagination) : everything() };
}
