import { readFileSync } from "node:fs";
import { type ConnectionOptions, checkServerIdentity } from "node:tls";
import { StoreError } from "../../storage-errors.ts";

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
export function takeTls(address: URL, env: NodeJS.ProcessEnv = process.env): ConnectionOptions | false {
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
