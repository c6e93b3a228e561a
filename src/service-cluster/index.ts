export { backUpDatabase, backUpStore, missingDocuments, type StoreCopy } from "./backup.ts";
export { openPostgresStore } from "./postgres/open.ts";
export { parseAddress } from "./postgres/pool.ts";
export { restoreDatabase, restoreStore } from "./restore.ts";
export { type SharedService, type SharedServiceOptions, startSharedService } from "./shared-service.ts";
