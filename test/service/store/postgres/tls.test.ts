import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { explainDatabaseError } from "../../../../src/cli/shared.ts";
import { StoreConnectionError, StoreError } from "../../../../src/service/storage-errors.ts";
import { openPostgresStore } from "../../../../src/service-cluster/postgres/dialect.ts";
import { parseAddress } from "../../../../src/service-cluster/postgres/pool.ts";
import { newFolder } from "../../../folder.ts";
import { command, ketbook } from "../../process.ts";
import { sharedProcess } from "../../shared.ts";
import { POSTGRES, type PostgresServer, startPostgres } from "./server.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const certificates = newFolder();
const file = (name: string) => join(certificates, name);
const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: certificates, stdio: "pipe" });

/** Makes an authority that has signed itself. */
function makeAuthority(name: string): void {
  openssl(
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-days",
    "2",
    "-subj",
    `/CN=${name}`,
    "-keyout",
    `${name}.key`,
    "-out",
    `${name}.crt`,
  );
}

/** Makes a certificate for `localhost`, signed by an authority. */
function makeCertificate(name: string, authority: string): void {
  openssl(
    "req",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-subj",
    "/CN=localhost",
    "-keyout",
    `${name}.key`,
    "-out",
    `${name}.csr`,
  );
  writeFileSync(file("names"), "subjectAltName=DNS:localhost\n");
  openssl(
    "x509",
    "-req",
    "-in",
    `${name}.csr`,
    "-days",
    "2",
    "-CA",
    `${authority}.crt`,
    "-CAkey",
    `${authority}.key`,
    "-CAcreateserial",
    "-extfile",
    "names",
    "-out",
    `${name}.crt`,
  );
}

/** Lets a server offer TLS with a certificate. */
async function offerTls(url: string, name: string): Promise<void> {
  const store = await openPostgresStore(url);
  const { rows } = await sql<{ data_directory: string }>`show data_directory`.execute(store);
  const folder = rows[0]!.data_directory;
  const { uid, gid } = statSync(folder);
  for (const suffix of ["crt", "key"]) {
    const copy = join(folder, `server.${suffix}`);
    copyFileSync(file(`${name}.${suffix}`), copy);
    chownSync(copy, uid, gid);
    chmodSync(copy, 0o600);
  }
  await sql`alter system set ssl = on`.execute(store);
  await sql`select pg_reload_conf()`.execute(store);
  const isOn = async () => (await sql<{ ssl: string }>`show ssl`.execute(store)).rows[0]?.ssl === "on";
  await vi.waitUntil(isOn, { timeout: 20_000, interval: 50 });
  await store.destroy();
}

describe.skipIf(POSTGRES === undefined || process.env.KETBOOK_TEST_POSTGRES !== undefined)(
  "a database whose server has a certificate",
  () => {
    let server: PostgresServer;
    let database: string;
    beforeAll(async () => {
      makeAuthority("authority");
      makeAuthority("stranger");
      makeCertificate("server", "authority");
      server = await startPostgres();
      database = await server.createDatabase();
      await offerTls(database, "server");
    });
    afterAll(() => server.stop());

    const address = (settings: Record<string, string>, host = "localhost") => {
      const url = new URL(database);
      url.hostname = host;
      for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value);
      return url.href;
    };

    /** Whether the way to it is encrypted. */
    async function isEncrypted(settings: Record<string, string>, host?: string): Promise<boolean> {
      const store = await openPostgresStore(address(settings, host));
      const { rows } = await sql<{
        ssl: boolean;
      }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(store);
      await store.destroy();
      return rows[0]!.ssl;
    }

    test("is reached unencrypted unless that is asked for", async () => {
      expect(await isEncrypted({})).toBe(false);
      expect(await isEncrypted({ sslmode: "disable" })).toBe(false);
    });

    test("is reached encrypted by require, whoever has signed its certificate", async () => {
      expect(await isEncrypted({ sslmode: "require" })).toBe(true);
    });

    test("is known by its authority, and with verify-full by its name", async () => {
      const sslrootcert = file("authority.crt");
      expect(await isEncrypted({ sslmode: "require", sslrootcert })).toBe(true);
      expect(await isEncrypted({ sslmode: "verify-ca", sslrootcert }, "127.0.0.1")).toBe(true);
      expect(await isEncrypted({ sslmode: "verify-full", sslrootcert })).toBe(true);
    });

    test("is not spoken to under another name, or signed by another authority", async () => {
      const [own, other] = [file("authority.crt"), file("stranger.crt")];
      for (const [settings, host] of [
        [{ sslmode: "verify-full", sslrootcert: own }, "127.0.0.1"],
        [{ sslmode: "verify-full" }, "localhost"],
        [{ sslmode: "verify-full", sslrootcert: "system" }, "localhost"],
        [{ sslmode: "verify-ca", sslrootcert: other }, "localhost"],
        [{ sslmode: "require", sslrootcert: other }, "localhost"],
      ] as const)
        await expect(isEncrypted(settings, host)).rejects.toThrow(StoreConnectionError);
    });

    test("is not spoken to where the settings are wrong", async () => {
      await expect(isEncrypted({ sslmode: "prefer" })).rejects.toThrow("sslmode must be one of");
      await expect(isEncrypted({ sslmode: "verify-full", sslrootcert: file("none") })).rejects.toThrow(
        "the sslrootcert, can't be read (ENOENT)",
      );
    });

    test("takes the settings of the environment, and an address in a file", async () => {
      const secret = file("address");
      writeFileSync(secret, `${address({})}\n`);
      const env = {
        ...process.env,
        KETBOOK_DATABASE_FILE: secret,
        PGSSLMODE: "verify-full",
        PGSSLROOTCERT: file("stranger.crt"),
      };
      const run = async (change: NodeJS.ProcessEnv) => {
        const child = spawn(process.execPath, [...command, "check"], {
          env: { ...env, ...change },
          stdio: "ignore",
        });
        return (await once(child, "exit"))[0];
      };
      expect(await run({})).toBe(1);
      expect(await run({ PGSSLROOTCERT: file("authority.crt") })).toBe(0);
    });

    test("is served over TLS, announcements included, and its password is nowhere to be read", async () => {
      const url = new URL(address({ sslmode: "verify-full", sslrootcert: file("authority.crt") }));
      url.password = "Pa55word%2F";
      await using api = await sharedProcess("serve", url.href, "--log-file", file("log"));
      expect((await fetch(new URL("/readyz", api.url))).status).toBe(200);
      const store = await openPostgresStore(database);
      const { rows } = await sql<{ ssl: boolean }>`select distinct ssl from pg_stat_ssl
        join pg_stat_activity using (pid) where application_name = 'ketbook' and pid <> pg_backend_pid()
        and datname = current_database() and ssl`.execute(store);
      await store.destroy();
      expect(rows).toEqual([{ ssl: true }]);
      expect(readFileSync(file("log"), "utf8")).not.toContain("Pa55word");
      if (process.platform === "linux")
        expect(readFileSync(`/proc/${api.child.pid}/cmdline`, "utf8")).not.toContain("Pa55word");
    });
  },
);

describe("the address of a database", () => {
  const explained = (url: string) => {
    try {
      return String(parseAddress(url));
    } catch (error) {
      expect(error).toBeInstanceOf(StoreError);
      return explainDatabaseError(error);
    }
  };

  test.each([
    "postgres://user:Pa55word/x@host/name",
    "postgres://user:Pa55word@host:port/name",
    "postgres://user:12Pa55word/@host/name",
    "mysql://user:Pa55word@host/name",
    "Pa55word",
  ])("that is wrong is refused without its password: %s", url => {
    expect(explained(url)).toContain("percent-encoded");
    expect(explained(url)).not.toContain("Pa55word");
  });

  test("that is wrong ends a command, which says so without its password", async () => {
    const { code, stdout, stderr } = await ketbook(
      ...["check", "--database", "postgres://user:Pa55word@host:port/name"],
    );
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("percent-encoded");
    expect(stderr).not.toContain("Pa55word");
  });

  test("that leads nowhere is named without its password", async () => {
    const { stderr } = await ketbook("check", "--database", "postgres://user:Pa55word@127.0.0.1:1/name");
    expect(stderr).toMatch(/can't be reached: connect ECONNREFUSED 127\.0\.0\.1:1/);
    expect(stderr).not.toContain("Pa55word");
  });
});
