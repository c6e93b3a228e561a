import { Command, InvalidArgumentError } from "commander";
import { dataFolder } from "../contract/local.ts";
import { createKey, listKeys, revokeKey } from "../service/accounts/members.ts";
import { TIERS } from "../service/accounts/tiers.ts";
import { toMicro } from "../service/billing/credits.ts";
import { FolderInUseError } from "../service/local/lock.ts";
import { explainStorageError } from "../service/store/failure.ts";
import { openStoreOf } from "../service/store/open.ts";
import type { Store } from "../service/store/store.ts";

interface Place {
  data: string;
  database?: string;
  json?: boolean;
}

interface CreateOptions extends Place {
  org: string;
  user: string;
  credits: number;
  tier?: string;
  allow?: string[];
}

const maxCredits = 1e9;

/** `ketbook keys`: makes, lists and revokes keys, whether or not the service runs. */
export function keysCommand(): Command {
  const keys = new Command("keys").description("make, list and revoke API keys");
  withPlace(keys.command("create"))
    .description("make a key, and the organization and user that it needs")
    .requiredOption("--org <name>", "organization that the key is bound to")
    .requiredOption("--user <name>", "user whom the key stands for")
    .option("--credits <number>", "credits to give to the organization", credits, 0)
    .option("--tier <name>", `the user's tier: ${Object.keys(TIERS).join(", ")} (default: free)`, tier)
    .option("--allow <pattern...>", "devices that the key may use, with * for any characters (default: all)")
    .action((options: CreateOptions) =>
      withStore(options, async store => {
        const { org, user, allow } = options;
        const request = {
          organization: org,
          user,
          grant: toMicro(options.credits),
          tier: options.tier,
          allow,
        };
        const { apiKey } = await createKey(store, request, Date.now());
        print(options, { apiKey }, `${apiKey}\nKeep it: it is shown this once only.`);
      }),
    );
  withPlace(keys.command("list"))
    .description("list keys, without the keys themselves")
    .action((options: Place) =>
      withStore(options, async store => {
        const all = (await listKeys(store)).map(key => ({
          ...key,
          createdAt: new Date(key.createdAt).toISOString(),
          revokedAt: key.revokedAt === null ? null : new Date(key.revokedAt).toISOString(),
        }));
        const lines = all.map(key => {
          const state = key.revokedAt ? "revoked" : "valid";
          return [key.id, `${key.hint}…`, state, key.tier, `${key.organization}/${key.user}`].join("  ");
        });
        print(options, all, lines.join("\n"));
      }),
    );
  withPlace(keys.command("revoke"))
    .description("revoke a key for good")
    .argument("<key>", "the key, or its id from the list")
    .action((key: string, options: Place) =>
      withStore(options, async store => {
        const revoked = await revokeKey(store, key, Date.now());
        if (!revoked) throw new Error("There is no such key, or it has been revoked before.");
        print(options, { revoked }, "The key is revoked.");
      }),
    );
  return keys;
}

function withPlace(command: Command): Command {
  return command
    .option("--data <folder>", "the service's data folder", dataFolder())
    .option("--database <url>", "the service's PostgreSQL database")
    .option("--json", "print JSON");
}

async function withStore(place: Place, work: (store: Store) => Promise<void>): Promise<void> {
  try {
    if (place.database) throw new Error("--database is not supported yet: use --data.");
    process.umask(0o077);
    const store = await openStoreOf(place.data);
    await work(store).finally(() => store.destroy());
  } catch (error) {
    process.stderr.write(`ketbook keys: ${explain(error, place.data)}\n`);
    process.exitCode = 1;
  }
}

function explain(error: unknown, folder: string): string {
  const { message } = error as Error;
  return error instanceof FolderInUseError
    ? `${message} The store would have to be brought up to date first: end that service, or use its version of Ketbook.`
    : (explainStorageError(error, folder) ?? message);
}

function print({ json }: Place, value: unknown, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : text}\n`);
}

function credits(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value > maxCredits) {
    throw new InvalidArgumentError(`It must be a number from 0 to ${maxCredits}.`);
  }
  return value;
}

function tier(name: string): string {
  if (!Object.hasOwn(TIERS, name))
    throw new InvalidArgumentError(`It must be one of ${Object.keys(TIERS).join(", ")}.`);
  return name;
}
