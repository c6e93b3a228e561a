import { Agent, type Dispatcher, EnvHttpProxyAgent, ProxyAgent, request } from "undici";
import { KetbookError } from "./errors.ts";
import { declaredLength, IDLE_TIMEOUT_MS, MAX_RESPONSE_BYTES, readText, type Sender } from "./http.ts";

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
  const dispatcherFor = chooseDispatcher(proxy);
  return async ({ url, method, headers, body, signal, idleTimeout }) => {
    const answer = await request(url, {
      dispatcher: dispatcherFor(url),
      method: method as Dispatcher.HttpMethod,
      headers,
      body,
      headersTimeout: idleTimeout,
      bodyTimeout: idleTimeout,
      signal,
    });
    const header = (name: string) => {
      const value = answer.headers[name];
      return (Array.isArray(value) ? value[0] : value) ?? null;
    };
    return {
      status: answer.statusCode,
      header,
      async text(onBytes) {
        const length = declaredLength(header);
        const isBounded = length !== undefined && !onBytes;
        return isBounded ? answer.body.text() : readText(answer.body, length, onBytes);
      },
    };
  };
}

function chooseDispatcher(proxy: string | false | undefined): (target: URL) => Dispatcher {
  if (typeof proxy === "string") {
    const agent = new ProxyAgent({ ...agentOptions, uri: checkedProxy(proxy, "proxy") });
    return () => agent;
  }
  const direct = new Agent(agentOptions);
  const fromEnvironment = proxy === false ? undefined : environmentAgent();
  return target => (fromEnvironment && !isLoopback(target) ? fromEnvironment : direct);
}

/** The agent that heeds `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`; undefined when no proxy is set. */
function environmentAgent(): Dispatcher | undefined {
  const proxyOf = (name: string) => {
    const value = process.env[name.toLowerCase()] ?? process.env[name];
    return value && checkedProxy(value, name);
  };
  const [httpProxy, httpsProxy] = [proxyOf("HTTP_PROXY"), proxyOf("HTTPS_PROXY")];
  if (!httpProxy && !httpsProxy) return undefined;
  return new EnvHttpProxyAgent({
    ...agentOptions,
    ...(httpProxy ? { httpProxy } : {}),
    ...(httpsProxy ? { httpsProxy } : {}),
  });
}

/** A proxy's address; `http` where it names no scheme. It may hold a password, so errors don't repeat it. */
function checkedProxy(address: string, source: string): string {
  const whole = address.includes("://") ? address : `http://${address}`;
  if (/^(?:https?|socks5?):/i.test(whole) && URL.canParse(whole)) return whole;
  throw new KetbookError(`${source} is not the address of a proxy, such as http://proxy.example.org:3128.`);
}

function isLoopback({ hostname }: URL): boolean {
  return /^(?:127\.\d+\.\d+\.\d+|\[::1\]|(?:.*\.)?localhost)$/i.test(hostname);
}
