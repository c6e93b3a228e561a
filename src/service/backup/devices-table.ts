import { DatabaseSync } from "node:sqlite";
import type { CatalogueEntry } from "../catalogue/catalogue.ts";
import { checkImported } from "../catalogue/imported-devices.ts";
import { StoreError } from "../storage-errors.ts";

/** Keeps the devices that were imported into a data folder in a copy of its store, which is a single file. */
export function putDevices(file: string, devices: readonly CatalogueEntry[]): void {
  if (devices.length === 0) return;
  const database = new DatabaseSync(file);
  try {
    database.exec("create table imported_devices (qrn text primary key, entry_json text not null)");
    const insert = database.prepare("insert into imported_devices values (?, ?)");
    for (const device of devices) insert.run(device.qrn, JSON.stringify(device));
  } finally {
    database.close();
  }
}

/** Takes the devices out of a copy of a store. Throws a `StoreError` where they are not as they were written. */
export function takeDevices(file: string): CatalogueEntry[] {
  const database = new DatabaseSync(file);
  try {
    const isThere = database
      .prepare("select 1 from sqlite_master where type = 'table' and name = 'imported_devices'")
      .get();
    if (!isThere) return [];
    const rows = database.prepare("select entry_json from imported_devices order by qrn").all();
    database.exec("drop table imported_devices");
    return checkDevices(rows.map(row => JSON.parse(String(row.entry_json))));
  } finally {
    database.close();
  }
}

/** Returns imported devices as they are. Throws a `StoreError` where they are none. */
export function checkDevices(devices: readonly unknown[]): CatalogueEntry[] {
  try {
    for (const device of devices) checkImported(device);
    return devices as CatalogueEntry[];
  } catch (error) {
    throw new StoreError("The file is damaged: a device in it is none. Use another copy of it.", {
      cause: error,
    });
  }
}
