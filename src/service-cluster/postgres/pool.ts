import { readFileSync } from "node:fs";
import { type ConnectionOptions, checkServerIdentity } from "node:tls";
import { sql } from "kysely";
import pg from "pg";
import { type Store, StoreError } from "../../service/index.ts";

/** Connections of a process to the database, besides the one that listens. */
export const MAX_CONNECTIONS = 10;

const CONNECT_TIMEOUT_MS = 5000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** Time after which a client takes a server that does not answer for gone. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5000;
const LOCK_TIMEOUT_MS = 5000;
/** Time after which the server ends a transaction whose client is silent, so others don't wait long for its locks. */
const IDLE_TRANSACTION_TIMEOUT_MS = 1000;

/** Types of PostgreSQL whose values come as text since they may be larger than a number. */
const INTEGERS: ReadonlySet<number> = new Set([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

/** Reads the address of a database; throws a `StoreError` without the password for an invalid one. */
export function parseAddress(url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address && /^postgres(ql)?:$/.test(address.protocol) && !address.pathname.includes("@")) return address;
  throw new StoreError(
    "The database must be given as postgres://user@host:port/name; in a password, characters such as / @ : # % are percent-encoded.",
  );
}

/** Returns the options of a connection to a database; throws a `StoreError` for an invalid address. */
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

const MODES = ["disable", "require", "verify-ca", "verify-full"];

/** Names of settings in an address, and in the environment. */
const SETTINGS = {
  sslmode: "PGSSLMODE",
  sslrootcert: "PGSSLROOTCERT",
  sslcert: "PGSSLCERT",
  sslkey: "PGSSLKEY",
};

/**
 * Returns how a connection to a host is encrypted, and what is checked, as PostgreSQL's own programs do it: `require`
 * encrypts and checks nothing, unless `sslrootcert` names a file of authorities; `verify-ca` checks who has signed the
 * server's certificate; `verify-full` also its name. Default: `disable`. Takes its settings out of the address, or those
 * of the environment. Throws a `StoreError` for a mode that there is not, and a file that can't be read.
 */
function takeTls(address: URL, env: NodeJS.ProcessEnv = process.env): ConnectionOptions | false {
  const take = (name: keyof typeof SETTINGS) => {
    const given = address.searchParams.get(name) ?? env[SETTINGS[name]];
    address.searchParams.delete(name);
    return given || undefined;
  };
  const mode = take("sslmode") ?? "disable";
  const [authorities, certificate, key] = [take("sslrootcert"), take("sslcert"), take("sslkey")];
  if (!MODES.includes(mode)) {
    throw new StoreError(`sslmode must be one of ${MODES.join(", ")}, not ${mode.slice(0, 40)}.`);
  }
  if (mode === "disable") return false;
  const host = address.hostname.replace(/^\[(.*)\]$/, "$1");
  return {
    rejectUnauthorized: mode !== "require" || authorities !== undefined,
    checkServerIdentity: (_name, peer) =>
      mode === "verify-full" ? checkServerIdentity(host, peer) : undefined,
    ...(authorities && authorities !== "system" ? { ca: read("sslrootcert", authorities) } : {}),
    ...(certificate ? { cert: read("sslcert", certificate) } : {}),
    ...(key ? { key: read("sslkey", key) } : {}),
  };
}

function read(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new StoreError(`${file}, the ${name}, can't be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

const INTERVAL_MS = 10_000;

/**
 * Starts a clock that follows the database's, which all machines that share it go by: it is asked every ten seconds, and
 * a monotonic clock counts from there. While it can't be asked, the last answer holds; one that was long on its way
 * changes no more than it proves wrong.
 */
export async function startDatabaseClock(store: Store) {
  let offset = Number.NEGATIVE_INFINITY;
  const follow = async () => {
    const [least, most] = await measure(store);
    offset = Math.min(Math.max(offset, least), most);
  };
  await follow();
  const timer = setInterval(() => void follow().catch(() => {}), INTERVAL_MS).unref();
  return { now: () => performance.now() + offset, stop: () => clearInterval(timer) };
}

/** Returns by how much the database's time is ahead of the monotonic clock, at least and at most. */
async function measure(store: Store): Promise<[least: number, most: number]> {
  const asked = performance.now();
  const now = sql<{ time: number }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as time`;
  const { time } = (await now.execute(store)).rows[0]!;
  return [time - performance.now(), time - asked];
}
