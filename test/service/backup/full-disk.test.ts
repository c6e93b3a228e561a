import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkIntegrity } from "../../../src/service/node/sqlite/integrity.ts";
import { storePath } from "../../../src/service/node/sqlite/open.ts";
import { storageProblem } from "../../../src/service/storage-errors.ts";
import { backUpStore, restoreStore } from "../../../src/service-cluster/backup.ts";
import { newFolder } from "../../folder.ts";
import { serving } from "../serving.ts";
import { canMount, mountSmallDisk } from "../store/sqlite/small-disk.ts";

const STEP_BYTES = 8192;
const isStore = (name: string) => name.startsWith("ketbook.sqlite");

test.runIf(canMount)(
  "on a disk that is nearly full, a store is restored or imported whole, or not at all",
  {
    timeout: 60_000,
  },
  async () => {
    const folder = newFolder();
    const service = await serving({ folder });
    await service.ended((await service.submit()).jobQrn);
    await service.service.stop();
    const archive = join(newFolder(), "archive");
    await backUpStore(folder, archive, { isLast: true });
    const makers = [
      (target: string) => restoreStore(storePath(folder), target),
      (target: string) => restoreStore(archive, target, { isNoted: false }),
    ];
    for (const make of makers) {
      using disk = mountSmallDisk(4)!;
      const path = storePath(disk.folder);
      for (let room = 0; !existsSync(path); room += STEP_BYTES) {
        disk.fill(room);
        const error = await make(disk.folder).then(
          () => undefined,
          error => error,
        );
        disk.free();
        if (error)
          expect([storageProblem(error), readdirSync(disk.folder).filter(isStore)]).toEqual([
            expect.stringMatching(/full|unavailable/),
            [],
          ]);
        else expect(await checkIntegrity(path, "whole")).toEqual([]);
      }
    }
  },
);
