export {
  draftOf,
  FolderInUseError,
  lockFolder,
  OWNER_KEY_FILE,
  secureFolder,
  syncFile,
  syncFolder,
} from "./folder.ts";
export { DeviceFileError } from "./import/device-draft.ts";
export { type DeviceFile, importDevice } from "./import/import-device.ts";
export { addDevice, checkImported, readDevices, removeDevice } from "./imported-devices.ts";
export { logToErrorOutput, logToFile } from "./log-output.ts";
export { type Api, type ApiAddress, startApi, startHealth, trustProxies } from "./server.ts";
export { type RunningService, type ServiceSettings, startService } from "./service.ts";
export { openMemory } from "./sqlite/connection.ts";
export { checkIntegrity } from "./sqlite/integrity.ts";
export {
  createStoreFile,
  DATABASE_FILES,
  emptyLog,
  hasContents,
  openStoreFile,
  openStoreOf,
  openToRead,
  removeDatabase,
  requireVersion,
  storePath,
} from "./sqlite/open.ts";
export { openPool } from "./threads.ts";
