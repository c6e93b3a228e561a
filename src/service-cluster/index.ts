export { exportDatabase, exportFolder, importIntoDatabase, importIntoFolder } from "./archives.ts";
export { backUpStore, missingDocuments, type StoreCopy } from "./backup.ts";
export { openPostgresStore } from "./postgres/open.ts";
export { parseAddress } from "./postgres/pool.ts";
export { restoreStore } from "./restore.ts";
export { type SharedService, type SharedServiceOptions, startSharedService } from "./shared-service.ts";
