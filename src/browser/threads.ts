type Given<F> = F extends (...given: infer G) => unknown ? G : never;
type Returned<F> = F extends (...given: never[]) => infer R ? Awaited<R> : never;

/** Another thread, whose functions this one calls. */
export interface Thread<T> {
  /** Calls a function, whose result is not waited for. */
  tell<Name extends keyof T>(name: Name, ...given: Given<T[Name]>): void;
  /** Calls a function. Rejects with an `Error` of the same message where it throws. */
  ask<Name extends keyof T>(name: Name, ...given: Given<T[Name]>): Promise<Returned<T[Name]>>;
  /** Rejects all calls that have not been answered. */
  fail(reason: unknown): void;
}

/** A worker or a port, or in a worker its global object. */
type Port = Worker | MessagePort | typeof globalThis;

type Message =
  | { id?: number; name: string; given: readonly unknown[] }
  | { id: number; answer: unknown }
  | { id: number; error: { message: string; stack: string | undefined } };

/** Lets another thread call functions, and calls its own. Ports and bodies of requests are handed over, not copied. */
export function openThread<T>(port: Port, own: object = {}): Thread<T> {
  // Programs of the user can replace what is global.
  const send = port.postMessage.bind(port) as Worker["postMessage"];
  const functions = new Map<string, (...given: readonly unknown[]) => unknown>(Object.entries(own));
  const waiting = new Map<number, PromiseWithResolvers<never>>();
  let last = 0;

  const post = (message: Message, values: readonly unknown[] = []) =>
    send(
      message,
      values
        .flatMap(value => [value, (value as { body?: unknown } | undefined | null)?.body])
        .filter(value => value instanceof ArrayBuffer || value instanceof MessagePort),
    );

  async function answer(id: number, call: () => unknown): Promise<void> {
    try {
      const found = await call();
      post({ id, answer: found }, [found]);
    } catch (thrown) {
      const { message = String(thrown), stack } = Object(thrown) as Partial<Error>;
      post({ id, error: { message, stack } });
    }
  }

  function hear({ data }: MessageEvent<unknown>): void {
    const message: Message = Object(data);
    if ("name" in message) {
      const call = () => functions.get(message.name)?.(...message.given);
      if (message.id === undefined) void call();
      else void answer(message.id, call);
      return;
    }
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if ("answer" in message) asked?.resolve(message.answer as never);
    else asked?.reject(Object.assign(new Error(message.error.message), { stack: message.error.stack }));
  }

  port.addEventListener("message", hear as EventListener);
  if (port instanceof MessagePort) port.start();

  return {
    tell: (name, ...given) => post({ name: String(name), given }, given),
    ask(name, ...given) {
      last += 1;
      const asked = Promise.withResolvers<never>();
      waiting.set(last, asked);
      post({ id: last, name: String(name), given }, given);
      return asked.promise;
    },
    fail(reason) {
      for (const { reject } of waiting.values()) reject(reason);
      waiting.clear();
    },
  };
}
