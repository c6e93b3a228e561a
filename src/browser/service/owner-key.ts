import type { KeyFile } from "../../service/accounts/owner.ts";

const FILE_NAME = "owner.key";

/** The synchronous handle of a file, which only workers have. */
interface SyncHandle {
  read(buffer: Uint8Array): number;
  write(buffer: Uint8Array): number;
  truncate(size: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

/** Returns where the key of a page's own user is kept: in a folder of the browser's storage, or in memory. */
export function browserKeyFile(folder: string | undefined): KeyFile {
  if (folder === undefined) {
    let kept: string | undefined;
    return {
      read: () => kept,
      write: key => {
        kept = key;
      },
    };
  }
  return {
    read: () =>
      withFile(folder, handle => {
        const bytes = new Uint8Array(handle.getSize());
        handle.read(bytes);
        return new TextDecoder().decode(bytes).trim() || undefined;
      }),
    write: key =>
      withFile(folder, handle => {
        handle.truncate(0);
        handle.write(new TextEncoder().encode(key));
        handle.flush();
      }),
  };
}

async function withFile<T>(folder: string, use: (handle: SyncHandle) => T): Promise<T> {
  let directory = await navigator.storage.getDirectory();
  for (const name of folder.split("/").filter(Boolean))
    directory = await directory.getDirectoryHandle(name, { create: true });
  const file = await directory.getFileHandle(FILE_NAME, { create: true });
  const handle = await (
    file as unknown as { createSyncAccessHandle(): Promise<SyncHandle> }
  ).createSyncAccessHandle();
  try {
    return use(handle);
  } finally {
    handle.close();
  }
}
