/** Returns a sentence on why an address can't be listened on, and what to do; undefined for every other error. */
export function explainListenError(
  error: unknown,
  { host, port }: { host: string; port: number },
): string | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return `Port ${port} of ${host} is taken. Choose another with --port, or 0 for any that is free.`;
  if (syscall !== "listen" && syscall !== "getaddrinfo") return undefined;
  if (code === "EACCES")
    return `Port ${port} of ${host} may not be used. Choose one from 1024 on with --port, or 0 for any that is free.`;
  return `${host} is not an address of this machine (${code}). Choose one with --host, such as 127.0.0.1.`;
}
