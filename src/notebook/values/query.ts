import { warn } from "#host";
import { type CallOptions, KetbookError, type Pages, type UnreadRecord } from "../../client/index.ts";
import { LIMITS, type OptionCheck } from "../../contract/index.ts";
import { formatCount, formatNumber, singleLine } from "../../display/index.ts";
import type { Session } from "../session.ts";
import type { DisplayableList, ListOrigin } from "./displayable-list.ts";
import { LazyValue } from "./lazy-value.ts";
import { checkHelperOptions } from "./options.ts";
import { type LoadingEntry, showProgress } from "./progress.ts";

interface QueryState<Row, Fields> {
  readonly fields: Fields;
  /** Functions that a row has to pass here, after the service has looked at the fields. */
  readonly tests: readonly ((row: Row) => boolean)[];
  readonly limit?: number;
  readonly call?: CallOptions | undefined;
}

export interface QueryDefinition<Row, Fields, List> {
  readonly what: string;
  readonly fields: Readonly<Record<keyof Fields & string, OptionCheck>>;
  readonly defaultLimit: number;
  /** Fetches pages of at most `limit` rows, as they are needed. */
  pages(session: Session, fields: Fields, limit: number, call?: CallOptions): Pages<object>;
  row(session: Session, record: object): Row;
  readonly list: { ofRows(rows: readonly Row[], origin: Partial<ListOrigin>): List };
  /** Fields that the service does not look at: whether a row passes, by the field's value. */
  readonly tests?: {
    readonly [Name in keyof Fields]?: (row: Row, value: NonNullable<Fields[Name]>) => boolean;
  };
  /** Reason why it is uncertain whether a passing row matches; undefined if it is certain. */
  doubt?(fields: Fields, row: Row): string | undefined;
  /** Throws a `KetbookError` when a field explains why no row was found, such as a name that nothing has. */
  checkEmpty?(session: Session, fields: Fields, call?: CallOptions): Promise<void>;
  /** Whether a row, and so all after it, comes too late in the service's order to be asked for. */
  isPast?(fields: Fields, row: Row): boolean;
}

/** Whether a row passes a test. Throws a `KetbookError` for a test that answers a promise, which every row would pass. */
function passes<Row>(test: (row: Row) => boolean, row: Row): boolean {
  const answer: unknown = test(row);
  if (typeof Object(answer).then !== "function") return Boolean(answer);
  throw new KetbookError("filter: the function returned a promise. Return true or false.");
}

const { maxPageSize } = LIMITS;

/**
 * A query to the service. `await` it for a list, iterate over it with `for await`, or just show it. Immutable:
 * each method returns a new query. Nothing is requested before it is needed.
 */
export abstract class Query<Row, List extends DisplayableList<Row>>
  extends LazyValue<List>
  implements AsyncIterable<Row>
{
  /** @internal The instance that is asked. */
  protected readonly session: Session;
  readonly #definition: QueryDefinition<Row, object, List>;
  readonly #state: QueryState<Row, object>;

  /** @internal */
  constructor(session: Session, kind: QueryDefinition<Row, object, List>, asked: QueryState<Row, object>) {
    super(kind.what, () => this.#collect());
    checkHelperOptions(kind.what.toLowerCase(), asked.fields, kind.fields);
    this.session = session;
    this.#definition = kind;
    this.#state = asked;
  }

  /** @internal Whether the query finds only some of the rows that there are. */
  protected get isNarrowed(): boolean {
    const { fields, tests, limit } = this.#state;
    return (
      tests.length > 0 || limit !== undefined || Object.values(fields).some(value => value !== undefined)
    );
  }

  #changed(change: Partial<QueryState<Row, object>>): this {
    const asked = { ...this.#state, ...change };
    return Reflect.construct(this.constructor, [this.session, this.#definition, asked]) as this;
  }

  /**
   * Keeps the rows that pass a test. It runs locally. What the service can filter belongs in the call that made the query.
   *
   * @throws KetbookError for anything but a function.
   */
  filter(test: (row: Row) => boolean): this {
    if (typeof test === "function") return this.#changed({ tests: [...this.#state.tests, test] });
    const call = `${this.title.toLowerCase()}({ … })`;
    throw new KetbookError(`filter: give a function, such as row => true. Fields belong into ${call}.`);
  }

  /** Limits the number of rows. */
  limit(rows: number): this {
    if (Number.isSafeInteger(rows) && rows > 0) return this.#changed({ limit: rows });
    throw new KetbookError(`limit(${String(rows)}): the limit must be a whole number, 1 or more.`);
  }

  /** The first row, or `undefined` when there is none. */
  async first(): Promise<Row | undefined> {
    for await (const row of this.limit(1)) return row;
    return undefined;
  }

  /** Yields rows, fetched page by page; at the end, a warning counts the records that could not be read. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void> {
    const { limit = Number.POSITIVE_INFINITY } = this.#state;
    const unread: UnreadRecord[] = [];
    try {
      yield* this.#select(this.#pages(limit), limit, unread);
    } finally {
      const records = formatCount(unread.length, "records");
      if (unread[0])
        warn(`${this.title}: left out ${records} that could not be read: ${singleLine(unread[0].problem)}.`);
    }
  }

  /** @internal Read where the rows are taken of the query and not of its list, as in `devices()[0]`. */
  get 0(): never {
    const call = `${this.title.toLowerCase()}()`;
    throw new KetbookError(`${this.title}: await the list, then take its rows: (await ${call})[0].`);
  }

  get #tests(): readonly ((row: Row) => boolean)[] {
    const { fields, tests } = this.#state;
    const own = this.#definition.tests as
      | { [field: string]: (row: Row, value: unknown) => boolean }
      | undefined;
    const asked = Object.entries(fields).flatMap(([name, value]) => {
      const test = value === undefined ? undefined : own?.[name];
      return test ? [(row: Row) => test(row, value)] : [];
    });
    return [...asked, ...tests];
  }

  #pages(limit: number): Pages<object> {
    const { fields, call } = this.#state;
    const size = this.#tests.length > 0 ? maxPageSize : Math.min(limit, maxPageSize);
    return this.#definition.pages(this.session, fields, size, call);
  }

  async *#select(pages: Pages<object>, limit: number, unread: UnreadRecord[]): AsyncGenerator<Row, void> {
    const { fields, call } = this.#state;
    const [kind, tests] = [this.#definition, this.#tests];
    let [found, past] = [0, 0];
    reading: for await (const page of pages.pages()) {
      unread.push(...page.unread);
      for (const [index, record] of page.rows.entries()) {
        const row = kind.row(this.session, record);
        past = kind.isPast?.(fields, row) ? past + 1 : 0;
        if (past > maxPageSize) break reading;
        if (!tests.every(test => passes(test, row))) continue;
        const problem = kind.doubt?.(fields, row);
        if (problem) unread.push({ index, problem, value: record });
        else yield row;
        if (!problem && ++found >= limit) break reading;
      }
    }
    if (found === 0) await kind.checkEmpty?.(this.session, fields, call);
  }

  /** Gathers rows, saying how many there are when that takes a while. */
  async #collect(): Promise<List> {
    const { limit = this.#definition.defaultLimit } = this.#state;
    const loading: LoadingEntry = { title: this.title, started: performance.now() };
    const hide = showProgress(loading);
    try {
      const pages = this.#pages(limit);
      const rows: Row[] = [];
      const unread: UnreadRecord[] = [];
      for await (const row of this.#select(pages, limit, unread)) {
        rows.push(row);
        loading.detail = `${formatNumber(rows.length)} so far`;
      }
      const total = this.#tests.length === 0 ? (await pages).pagination.total : null;
      return this.#definition.list.ofRows(rows, { total, unread });
    } finally {
      hide();
    }
  }
}
