import { openKernel, openTypes } from "../../../../src/browser/workers.ts";
import type { Message } from "../../../../src/ipynb/format.ts";

/** Runs cells in the kernel of a page, without a service. Returns what was published, with the errors that cells end with. */
export async function runCells(sources: readonly string[]): Promise<Message[]> {
  const types = openTypes(new URL("types.js", document.baseURI), () => undefined);
  const messages: Message[] = [];
  const kernel = openKernel({
    script: new URL("kernel.js", document.baseURI),
    hosted: undefined,
    connect: () => new MessageChannel().port1,
    emit: source => types.ask("emit", source),
    onMessage: message => void messages.push(message),
    onNotes: () => undefined,
    onDownload: () => undefined,
  });
  for (const [index, source] of sources.entries()) {
    const { failure } = await kernel.execute(index, source, index + 1);
    if (failure) messages.push({ type: "error", parent: String(index), content: { ...failure } });
  }
  kernel.close();
  return messages;
}
