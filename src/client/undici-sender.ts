import { Agent, type Dispatcher, EnvHttpProxyAgent, ProxyAgent, request } from "undici";
import { KetbookError } from "./errors/index.ts";
import { IDLE_TIMEOUT_MS, MAX_RESPONSE_BYTES, ProxyError, readText, type Sender } from "./http.ts";

const connectTimeout = 10_000;
const agentOptions = {
  connections: 32,
  maxResponseSize: MAX_RESPONSE_BYTES,
  connectTimeout,
  headersTimeout: IDLE_TIMEOUT_MS,
  bodyTimeout: IDLE_TIMEOUT_MS,
};

/** Sends requests by undici, over connections that are kept alive, and through the proxy that is asked for. */
export function undiciSender(proxy: string | false | undefined): Sender {
  const proxies = proxiesOf(proxy);
  const dispatcherFor = chooseDispatcher(proxies);
  return async ({ url, method, headers, body, signal, idleTimeout }) => {
    const answer = await request(url, {
      dispatcher: dispatcherFor(url),
      method: method as Dispatcher.HttpMethod,
      headers,
      body,
      headersTimeout: idleTimeout,
      bodyTimeout: idleTimeout,
      signal,
    }).catch(problem => {
      throw proxyErrorOf(problem, url, proxies) ?? problem;
    });
    const header = (name: string) => {
      const value = answer.headers[name];
      return (Array.isArray(value) ? value[0] : value) ?? null;
    };
    return {
      status: answer.statusCode,
      header,
      text: (isLate, onBytes) => readText(answer.body, header, isLate, onBytes),
    };
  };
}

function chooseDispatcher({ http, https, isFromEnvironment }: Proxies): (target: URL) => Dispatcher {
  const direct = new Agent(agentOptions);
  if (!http && !https) return () => direct;
  if (!isFromEnvironment) {
    const agent = new ProxyAgent({ ...agentOptions, uri: http! });
    return () => agent;
  }
  const agent = new EnvHttpProxyAgent({
    ...agentOptions,
    ...(http && { httpProxy: http }),
    ...(https && { httpsProxy: https }),
  });
  return target => (isLoopback(target) ? direct : agent);
}

type Proxies = ReturnType<typeof proxiesOf>;

/**
 * Returns the proxies named by an option, or else by `HTTP_PROXY` and `HTTPS_PROXY`, from which `NO_PROXY` keeps some targets, by
 * the protocol of their target. Throws a `KetbookError` for an invalid one.
 */
function proxiesOf(proxy: string | false | undefined) {
  if (proxy === false) return { http: undefined, https: undefined, isFromEnvironment: false };
  if (proxy !== undefined) {
    const address = checkedProxy(proxy, "proxy");
    return { http: address, https: address, isFromEnvironment: false };
  }
  const fromEnvironment = (name: string) => {
    const value = process.env[name.toLowerCase()] ?? process.env[name];
    return value ? checkedProxy(value, name) : undefined;
  };
  const [http, https] = [fromEnvironment("HTTP_PROXY"), fromEnvironment("HTTPS_PROXY")];
  return { http, https: https ?? http, isFromEnvironment: true };
}

/** A proxy's address; `http` where it names no scheme. It may hold a password, so errors don't repeat it. */
function checkedProxy(address: string, source: string): string {
  const whole = address.includes("://") ? address : `http://${address}`;
  if (/^(?:https?|socks5?):/i.test(whole) && URL.canParse(whole)) return whole;
  throw new KetbookError(
    `${source} is not the address of a proxy. Use one such as http://proxy.example.org:3128.`,
  );
}

/** Returns the error of a proxy, where it was the proxy that could not be reached, or that refused a request. */
function proxyErrorOf(problem: unknown, target: URL, proxies: Proxies): ProxyError | undefined {
  const address = target.protocol === "https:" ? proxies.https : proxies.http;
  const mayBeDirect = proxies.isFromEnvironment;
  if (!address || !(problem instanceof Error) || (mayBeDirect && isLoopback(target))) return undefined;
  const { protocol, hostname, host, port } = new URL(address);
  const failed = problem as Error & { hostname?: string; port?: number };
  const isProxyPort = failed.port !== undefined && failed.port === portOf(protocol, port);
  const isProxy =
    failed.hostname === hostname ||
    (isProxyPort && !(mayBeDirect && failed.port === portOf(target.protocol, target.port))) ||
    problem.message.includes(host) ||
    /^Proxy\b/.test(problem.message);
  return isProxy ? new ProxyError(`${protocol}//${host}`, problem) : undefined;
}

const portOf = (protocol: string, port: string) => Number(port || (protocol === "https:" ? 443 : 80));

/** Whether an address is one of this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:127\.\d+\.\d+\.\d+|\[::1\]|(?:.*\.)?localhost)$/i.test(hostname);
}
