/**
 * Starts a worker of a script of the site. It is made of a blob, so that it has the page's policy, which lets it reach
 * no other origin. `forget` lets go of the blob's address, once the worker has been loaded.
 */
export function startWorker(script: URL, name: string): { worker: Worker; forget(): void } {
  const blob = new Blob([`import ${JSON.stringify(script.href)};`], { type: "text/javascript" });
  const url = URL.createObjectURL(blob);
  const worker = new Worker(url, { type: "module", name });
  return { worker, forget: () => URL.revokeObjectURL(url) };
}
