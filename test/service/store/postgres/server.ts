import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";

/** A PostgreSQL server for tests. */
export interface PostgresServer extends AsyncDisposable {
  /** Its process; undefined for one that was not started here. */
  readonly pid: number | undefined;
  /** Makes an empty database, and returns its address. */
  createDatabase(): Promise<string>;
  /** Ends it at once, and starts it again on its data. */
  restart(): Promise<void>;
  /** Ends it at once; `restart` starts it again. */
  end(): Promise<void>;
  stop(): Promise<void>;
}

/** Where the programs of a PostgreSQL on this machine are; undefined: there is none. */
const programs = (): string | undefined => {
  const versions = "/usr/lib/postgresql";
  const debian = existsSync(versions) ? readdirSync(versions).map(each => join(versions, each, "bin")) : [];
  const known = [...(process.env.PATH ?? "").split(":"), ...debian, "/opt/homebrew/bin", "/usr/local/bin"];
  return known.find(folder => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
};

/** The address of a server that tests may make databases on, or the programs to start one with; undefined: neither. */
export const POSTGRES: string | undefined = process.env.KETBOOK_TEST_POSTGRES ?? programs();

/**
 * Whether tests of a shared service have to be skipped because there is no PostgreSQL: then a highlighted line on
 * standard error, and a warning of GitHub's, say how to get one. Where `CI` is set nothing may be skipped, and it throws.
 */
export function isPostgresMissing(): boolean {
  if (POSTGRES !== undefined) return false;
  const remedy =
    "install postgresql (apt-get install postgresql), or set KETBOOK_TEST_POSTGRES to a server's URL";
  if (process.env.CI) throw new Error(`Tests of a shared service would be skipped: ${remedy}.`);
  const notice = `SKIPPED: tests of a shared service. To run them, ${remedy}.`;
  process.stderr.write(`\n\u001b[1;30;43m ${notice} \u001b[0m\n\n`);
  if (process.env.GITHUB_ACTIONS) process.stdout.write(`::warning::${notice}\n`);
  return true;
}

let shared: Promise<PostgresServer> | undefined;

/** The server of all test files of this process, which is ended with it. */
export function sharedPostgres(): Promise<PostgresServer> {
  shared ??= startPostgres(true);
  return shared;
}

/** Ends the server of a data folder, and deletes that, once this process has ended in whatever way. */
function endWithProcess(data: string): void {
  const script = 'cat; kill -QUIT "$(head -n 1 "$0/postmaster.pid")"; sleep 0.5; rm -rf "$0"';
  const watcher = spawn("sh", ["-c", script, data], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  watcher.unref();
  (watcher.stdin as Socket).unref();
}

/** Finds the server of `KETBOOK_TEST_POSTGRES`, or starts one of this machine's on an empty folder. */
export async function startPostgres(isShared = false): Promise<PostgresServer> {
  const given = process.env.KETBOOK_TEST_POSTGRES;
  if (given) {
    const none = async () => {};
    const restart = async () => {
      throw new Error("The server of KETBOOK_TEST_POSTGRES is not the tests' own.");
    };
    return {
      pid: undefined,
      createDatabase: () => createDatabase(given),
      restart,
      end: restart,
      stop: none,
      [Symbol.asyncDispose]: none,
    };
  }
  const folder = programs();
  if (!folder) throw new Error("There is no PostgreSQL on this machine.");
  const user = unprivilegedUser();
  const data = copyOfTemplate(folder, user);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let child = await start();

  async function start(): Promise<ChildProcess> {
    const settings = [
      "fsync=off",
      `unix_socket_directories=${data}`,
      "max_connections=100",
      "listen_addresses=127.0.0.1",
    ];
    const args = ["-D", data, "-p", String(port), ...settings.flatMap(each => ["-c", each])];
    const started = spawn(join(folder!, "postgres"), args, { stdio: "ignore", ...user });
    for (let left = 200; ; left -= 1) {
      const client = new pg.Client({ connectionString: url });
      client.on("error", () => {});
      try {
        await client.connect();
        await client.end();
        return started;
      } catch (error) {
        if (left === 0) throw error;
      }
      await sleep(50);
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise(resolve => child.once("exit", resolve));
    child.kill(signal);
    await exited;
  }

  if (isShared) endWithProcess(data);
  async function stop(): Promise<void> {
    if (isShared) return;
    await end("SIGQUIT");
    rmSync(data, { recursive: true, force: true });
  }

  return {
    get pid() {
      return child.pid;
    },
    createDatabase: () => createDatabase(url),
    end: () => end("SIGQUIT"),
    async restart() {
      await end("SIGQUIT");
      child = await start();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

const CACHE = fileURLToPath(new URL("../../../../node_modules/.cache/ketbook", import.meta.url));

/** Makes the data folder of a server: a copy of one that is made once for each version of PostgreSQL. */
function copyOfTemplate(programs: string, user: { uid: number; gid: number } | undefined): string {
  const version = execFileSync(join(programs, "initdb"), ["--version"], { encoding: "utf8" });
  const owner = user?.uid ?? userInfo().uid;
  const template = join(CACHE, `postgres-${version.replaceAll(/[^\w.]+/g, "-")}${owner}`);
  const data = mkdtempSync(join(tmpdir(), "ketbook-postgres-"));
  if (user) chownSync(data, user.uid, user.gid);
  if (existsSync(template)) {
    execFileSync("cp", ["-a", `${template}/.`, data]);
    return data;
  }
  const options = ["-U", "postgres", "--auth=trust", "--no-sync", "-E", "UTF8"];
  execFileSync(join(programs, "initdb"), ["-D", data, ...options], { stdio: "ignore", ...user });
  const draft = `${template}.${process.pid}`;
  mkdirSync(CACHE, { recursive: true });
  execFileSync("cp", ["-a", data, draft]);
  try {
    renameSync(draft, template);
  } catch {
    // Another process has just made it.
    rmSync(draft, { recursive: true, force: true });
  }
  return data;
}

async function createDatabase(url: string): Promise<string> {
  const name = `ketbook_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const made = new URL(url);
  made.pathname = `/${name}`;
  return made.href;
}

/** PostgreSQL does not run as root: there, the user `postgres` or `nobody` runs it. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => {
    for (const name of ["postgres", "nobody"]) {
      try {
        return Number(
          execFileSync("id", [flag, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
        );
      } catch {}
    }
    throw new Error("There is no user to run PostgreSQL as.");
  };
  return { uid: id("-u"), gid: id("-g") };
}

/** Finds a port that no program listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise(resolve => server.close(resolve));
  return port;
}
