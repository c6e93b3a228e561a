import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { SchemaSyntax } from "./dialect.ts";
import { MIGRATIONS } from "./migrations.ts";
import type { Database } from "./schema.ts";

/** Version of the tables that this Ketbook knows. */
export const STORE_VERSION = Object.keys(MIGRATIONS).length;

/** The last version without Kysely's records of migrations. */
const LAST_UNRECORDED_VERSION = 4;

const TABLES = { migrationTableName: "store_migrations", migrationLockTableName: "store_migration_lock" };

/** Options of a migration. */
export interface MigrationOptions {
  /** The version to come to. Default: the newest. */
  version?: number;
  /** Whether indexes are made with the tables, and not by who calls. Default: true. */
  hasIndexes?: boolean;
}

/** Brings the tables from the version that they have to a later one, all at once or not at all. */
export async function migrate(
  store: Kysely<Database>,
  syntax: SchemaSyntax,
  { version = STORE_VERSION, hasIndexes = true }: MigrationOptions = {},
): Promise<void> {
  await store.transaction().execute(async db => {
    await recordEarlier(db);
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => migrationsOf(syntax, hasIndexes) },
      ...TABLES,
    });
    const { error } = await migrator.migrateTo(Object.keys(MIGRATIONS)[version - 1]!);
    if (error) throw error;
  });
}

const INDEX = /^create (?:unique )?index (\w+)/;

/** Lists the indexes of a version that have names of their own, and how each is made. */
export function indexesOf(syntax: SchemaSyntax, version: number): { name: string; statement: string }[] {
  const all = Object.values(MIGRATIONS).slice(0, version);
  return all.flatMap(statements =>
    statements(syntax).flatMap(statement => {
      const name = INDEX.exec(statement)?.[1];
      return name === undefined ? [] : [{ name, statement }];
    }),
  );
}

/** Every migration also sets the version, by which other versions of Ketbook know whether they can read the store. */
function migrationsOf(syntax: SchemaSyntax, hasIndexes: boolean): Record<string, Migration> {
  const entries = Object.entries(MIGRATIONS).map(([name, statements], index): [string, Migration] => [
    name,
    {
      async up(db) {
        const wanted = statements(syntax).filter(statement => hasIndexes || !INDEX.test(statement));
        for (const statement of wanted) await sql.raw(statement).execute(db);
        await sql`delete from store_version`.execute(db);
        await sql`insert into store_version (version) values (${index + 1})`.execute(db);
      },
    },
  ]);
  return Object.fromEntries(entries);
}

/** Records the migrations of a store that has only a version. */
async function recordEarlier(db: Kysely<Database>): Promise<void> {
  await sql`create table if not exists store_version (version integer not null)`.execute(db);
  const { rows } = await sql<{ version: number }>`select version from store_version`.execute(db);
  const version = rows[0]?.version ?? 0;
  if (version === 0 || version > LAST_UNRECORDED_VERSION) return;
  const table = sql.table(TABLES.migrationTableName);
  await sql`create table ${table} (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(
    db,
  );
  for (const name of Object.keys(MIGRATIONS).slice(0, version)) {
    await sql`insert into ${table} (name, timestamp) values (${name}, ${new Date(0).toISOString()})`.execute(
      db,
    );
  }
}
