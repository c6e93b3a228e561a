import { Agent, type Dispatcher, EnvHttpProxyAgent, ProxyAgent, request } from "undici";
import { IDLE_TIMEOUT_MS, MAX_RESPONSE_BYTES, readText, type Sender } from "./http.ts";
import { isLoopback, type Proxies, proxiesOf, proxyErrorOf } from "./proxy.ts";

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
