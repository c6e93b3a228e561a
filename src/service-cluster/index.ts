export {
  backUpDatabase,
  backUpStore,
  missingDocuments,
  restoreDatabase,
  restoreStore,
  type StoreCopy,
} from "./backup.ts";
export { openPostgresStore } from "./postgres/dialect.ts";
export { parseAddress } from "./postgres/pool.ts";
export { type SharedService, type SharedServiceOptions, startSharedService } from "./shared-service.ts";
