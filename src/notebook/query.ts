import { KetbookError } from "../client/errors.ts";
import type { Displayable } from "../display/bundle.ts";
import { formatNumber } from "../display/index.ts";
import { Lazy } from "./lazy.ts";
import { type Loading, showProgress } from "./progress.ts";

/** What one kind of question is about. */
export interface QueryKind<Row, Fields, List> {
  /** The word for the rows, such as `Devices`. */
  readonly what: string;
  /** Rows that `await` fetches when `limit` was not called. */
  readonly defaultLimit: number;
  /** Fetches rows as they are needed. */
  rows(fields: Fields, limit: number): AsyncIterable<Row>;
  list(rows: Row[]): List;
}

interface Asked<Row, Fields> {
  fields: Fields;
  tests: readonly ((row: Row) => boolean)[];
  limit?: number;
}

/**
 * A question to the service. `await` it for a list, iterate over it with `for await`, or just show it. Immutable:
 * each method gives a new question. Nothing is asked before the answer is needed.
 */
export abstract class Query<Row, Fields extends object, List extends Displayable>
  extends Lazy<List>
  implements AsyncIterable<Row>
{
  readonly #kind: QueryKind<Row, Fields, List>;
  readonly #asked: Asked<Row, Fields>;

  /** @internal */
  constructor(kind: QueryKind<Row, Fields, List>, asked: Asked<Row, Fields>) {
    super(kind.what, async () => {
      const limited = { ...asked, limit: asked.limit ?? kind.defaultLimit };
      return kind.list(await collect(kind.what, select(kind, limited)));
    });
    this.#kind = kind;
    this.#asked = asked;
  }

  #again(change: Partial<Asked<Row, Fields>>): this {
    return Reflect.construct(this.constructor, [this.#kind, { ...this.#asked, ...change }]) as this;
  }

  /**
   * Narrows the question: by fields, which the service looks at, or by a function, which is called here for each
   * row.
   */
  filter(by: Fields | ((row: Row) => boolean)): this {
    if (typeof by === "function") return this.#again({ tests: [...this.#asked.tests, by] });
    return this.#again({ fields: { ...this.#asked.fields, ...by } });
  }

  /** Asks for at most so many rows. */
  limit(rows: number): this {
    if (Number.isSafeInteger(rows) && rows > 0) return this.#again({ limit: rows });
    throw new KetbookError(`limit(${String(rows)}): the limit must be a whole number, 1 or more.`);
  }

  /** The first row, or `undefined` when there is none. */
  async first(): Promise<Row | undefined> {
    for await (const row of this.limit(1)) return row;
    return undefined;
  }

  [Symbol.asyncIterator](): AsyncIterator<Row> {
    return select(this.#kind, this.#asked);
  }
}

/** Gathers rows, saying how many there are when that takes a while. */
async function collect<Row>(title: string, rows: AsyncIterable<Row>): Promise<Row[]> {
  const loading: Loading = { title, started: performance.now() };
  const hide = showProgress(loading);
  try {
    const found: Row[] = [];
    for await (const row of rows) {
      found.push(row);
      loading.detail = `${formatNumber(found.length)} so far`;
    }
    return found;
  } finally {
    hide();
  }
}

const largestPage = 100;

async function* select<Row, Fields, List>(
  kind: QueryKind<Row, Fields, List>,
  { fields, tests, limit = Number.POSITIVE_INFINITY }: Asked<Row, Fields>,
): AsyncGenerator<Row, void> {
  let left = limit;
  const page = tests.length > 0 ? largestPage : Math.min(limit, largestPage);
  for await (const row of kind.rows(fields, page)) {
    if (!tests.every(test => test(row))) continue;
    yield row;
    left -= 1;
    if (left <= 0) return;
  }
}
