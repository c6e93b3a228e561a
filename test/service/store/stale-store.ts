import type { DatabaseConnection, Driver } from "kysely";
import { openSqlite } from "../../../src/service/node/sqlite/connection.ts";
import { openStore, type Store } from "../../../src/service/store/store.ts";

/**
 * Opens a store whose first read of each matching query finds nothing: as a transaction reads where others run beside
 * it, and what they have written is not committed yet. (SQLite itself lets one transaction write at a time.)
 */
export function openStaleStore(path: string, isStale: (sql: string) => boolean): Store {
  const dialect = openSqlite(path);
  const seen = new Set<string>();
  const createDriver = () => staleDriver(dialect.kysely.createDriver());
  return openStore({ ...dialect, kysely: { ...dialect.kysely, createDriver } });

  function staleDriver(driver: Driver): Driver {
    return new Proxy(driver, {
      get(target, name) {
        const member = Reflect.get(target, name);
        if (name !== "acquireConnection") return typeof member === "function" ? member.bind(target) : member;
        return async () => staleConnection(await target.acquireConnection());
      },
    });
  }

  function staleConnection(connection: DatabaseConnection): DatabaseConnection {
    return new Proxy(connection, {
      get(target, name) {
        if (name !== "executeQuery") return Reflect.get(target, name);
        return async (query: Parameters<DatabaseConnection["executeQuery"]>[0]) => {
          if (!isStale(query.sql) || seen.has(query.sql)) return target.executeQuery(query);
          seen.add(query.sql);
          return { rows: [] };
        };
      },
    });
  }
}
