import pg from "pg";
import { StoreError } from "../../storage-errors.ts";
import { takeTls } from "./tls.ts";

/** Connections of a process to the database, besides the one that listens. */
export const MAX_CONNECTIONS = 10;

const CONNECT_TIMEOUT_MS = 5000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** After which a client takes a server that does not answer for gone. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5000;
const LOCK_TIMEOUT_MS = 5000;
/** After which the server ends a transaction whose client says no more, so that others don't wait long for its locks. */
const IDLE_TRANSACTION_TIMEOUT_MS = 1000;

/** Types of PostgreSQL whose values come as text since they may be larger than a number. */
const INTEGERS: ReadonlySet<number> = new Set([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

/** Reads the address of a database; throws a `StoreError`, in which no password is, for what is none. */
export function parseAddress(url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address && /^postgres(ql)?:$/.test(address.protocol) && !address.pathname.includes("@")) return address;
  throw new StoreError(
    "The database must be given as postgres://user@host:port/name; in a password, characters such as / @ : # % are percent-encoded.",
  );
}

/** Returns how a connection to a database is made; throws a `StoreError` for what is no address of one. */
export function connectionOf(url: string): pg.ClientConfig {
  const address = parseAddress(url);
  const ssl = takeTls(address);
  return {
    connectionString: address.href,
    ssl,
    application_name: "ketbook",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: {
      getTypeParser: ((type: number, format: "text") =>
        INTEGERS.has(type)
          ? toNumber
          : pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser,
    },
  };
}

const TIMEOUTS: pg.PoolConfig = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  query_timeout: ANSWER_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
};

/**
 * Opens a pool of connections. Whatever takes too long ends with an error, unless it `isPatient`, as does what a lost
 * one was doing.
 */
export function openConnectionPool(url: string, { isPatient = false } = {}): pg.Pool {
  const pool = new pg.Pool({
    ...connectionOf(url),
    max: MAX_CONNECTIONS,
    ...(isPatient ? { lock_timeout: LOCK_TIMEOUT_MS } : TIMEOUTS),
  });
  pool.on("error", () => {});
  pool.on("connect", client => client.on("error", () => {}));
  return pool;
}

/** Reads an integer, or a decimal number; throws a RangeError for an integer that a number does not hold exactly. */
function toNumber(text: string): number {
  const value = Number(text);
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) throw new RangeError(`${text} is too large for a number.`);
  return value;
}
