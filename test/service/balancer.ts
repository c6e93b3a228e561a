import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "./store/postgres/server.ts";

/** The documented configuration of nginx. */
export const NGINX_CONF = fileURLToPath(new URL("../../docs/nginx.conf", import.meta.url));

/** Whether nginx is missing on this machine, which CI must not be. */
export const isNginxMissing = !process.env.CI && spawnSync("nginx", ["-v"]).status !== 0;

const TEMPORARY = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
  .map(name => `${name}_temp_path ${name};`)
  .join(" ");

/** Starts nginx as documented before two interfaces on these ports, with the seconds that it waits for an answer if given. */
export async function startBalancer(
  ports: readonly [number, number],
  patience = 15,
): Promise<{ url: string } & AsyncDisposable> {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-nginx-"));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const conf = readFileSync(NGINX_CONF, "utf8")
    .replace("http {", `http { access_log off; ${TEMPORARY}`)
    .replace("listen 80;", `listen 127.0.0.1:${port};`)
    .replace("proxy_read_timeout 15s;", `proxy_read_timeout ${patience}s;`)
    .replace("127.0.0.1:8081", `127.0.0.1:${ports[0]}`)
    .replace("127.0.0.1:8082", `127.0.0.1:${ports[1]}`);
  writeFileSync(join(folder, "nginx.conf"), conf);
  const globals = "daemon off; pid nginx.pid; error_log stderr crit;";
  const child = spawn("nginx", ["-p", folder, "-c", "nginx.conf", "-g", globals], { stdio: "ignore" });
  const exited = once(child, "exit");
  while (!(await once(connect(port, "127.0.0.1"), "connect").catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error("nginx ended.");
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
