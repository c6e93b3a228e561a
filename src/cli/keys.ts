import { userInfo } from "node:os";
import { Command, InvalidArgumentError, Option } from "commander";
import { createKey, isValid, type KeyRecord, listKeys, revokeKey } from "../service/accounts/members.ts";
import { matchesPattern } from "../service/accounts/permission.ts";
import { SCOPES } from "../service/accounts/scopes.ts";
import { TIERS } from "../service/accounts/tiers.ts";
import { toMicro } from "../service/billing/credits.ts";
import { loadCatalogue } from "../service/catalogue/catalogue.ts";
import { readDevices } from "../service/catalogue/imported-devices.ts";
import type { Scope } from "../service/store/schema.ts";
import { parseExpiry } from "./duration.ts";
import { databaseOf, folderOf, type Place, withPlace } from "./place.ts";
import { withStore } from "./store.ts";

interface KeysOptions extends Place {
  json?: boolean;
}

interface CreateOptions extends KeysOptions {
  org: string;
  user: string;
  credits: number;
  tier?: string;
  allow?: string[];
  catalogue?: string;
  expires?: number;
  scope: Scope;
}

const maxCredits = 1e9;

/** `ketbook keys`: makes, lists and revokes keys, whether or not the service runs. */
export function keysCommand(): Command {
  const keys = new Command("keys").description("make, list and revoke API keys");
  withOptions(keys.command("create"))
    .description("make a key, and the organization and user that it needs")
    .requiredOption("--org <name>", "organization that the key is bound to")
    .requiredOption("--user <name>", "user whom the key stands for")
    .option("--credits <number>", "credits to give to the organization", credits, 0)
    .option("--tier <name>", `the user's tier: ${Object.keys(TIERS).join(", ")} (default: free)`, tier)
    .option("--allow <pattern...>", "devices that the key may use, with * for any characters (default: all)")
    .option("--catalogue <file>", "the service's own file of devices, if --allow names some of it")
    .option(
      "--expires <time>",
      "when the key ends to hold: a date, or a duration such as 30d (default: never)",
      text => parseExpiry(text),
    )
    .addOption(
      new Option(
        "--scope <scope>",
        "read: to look; submit: also to make and delete; admin: also to read metrics",
      )
        .choices(SCOPES)
        .default("submit"),
    )
    .action((options: CreateOptions) =>
      withStore("keys", options, async store => {
        const { org, user, allow } = options;
        if (allow) checkPatterns(allow, options);
        const request = {
          organization: org,
          user,
          grant: toMicro(options.credits),
          tier: options.tier,
          allow,
          scope: options.scope,
          expiresAt: options.expires,
          actor: actor(),
        };
        const { apiKey } = await createKey(store, request, Date.now());
        print(options, { apiKey }, `${apiKey}\nKeep it: it is shown this once only.`);
      }),
    );
  withOptions(keys.command("list"))
    .description("list keys, without the keys themselves")
    .action((options: KeysOptions) =>
      withStore("keys", options, async store => {
        const all = (await listKeys(store)).map(key => ({
          ...key,
          createdAt: new Date(key.createdAt).toISOString(),
          expiresAt: toTime(key.expiresAt),
          revokedAt: toTime(key.revokedAt),
          state: stateOf(key),
        }));
        const lines = all.map(key => {
          const { id, hint, state, scope, tier, organization, user, expiresAt } = key;
          const until = state === "valid" && expiresAt ? [`until ${expiresAt}`] : [];
          return [id, `${hint}…`, state, scope, tier, `${organization}/${user}`, ...until].join("  ");
        });
        print(options, all, lines.join("\n"));
      }),
    );
  withOptions(keys.command("revoke"))
    .description("revoke a key for good")
    .argument("<key>", "the key, or its id from the list")
    .action((key: string, options: KeysOptions) =>
      withStore("keys", options, async store => {
        const revoked = await revokeKey(store, key, Date.now(), actor());
        if (!revoked) throw new Error("There is no such key, or it has been revoked before.");
        print(options, { revoked }, "The key is revoked.");
      }),
    );
  return keys;
}

/** Throws for a pattern that is that of no device, with the devices. */
function checkPatterns(patterns: readonly string[], { catalogue, ...place }: CreateOptions): void {
  const imported = databaseOf(place) === undefined ? readDevices(folderOf(place)) : [];
  const devices = [...loadCatalogue(catalogue).keys(), ...imported.map(({ qrn }) => qrn)];
  for (const pattern of patterns)
    if (!devices.some(device => matchesPattern(pattern, device)))
      throw new Error(
        `--allow ${pattern} matches no device. The devices are ${devices.join(", ")}. For a service with devices of its own, give its --catalogue FILE too.`,
      );
}

const withOptions = (command: Command) => withPlace(command).option("--json", "print JSON");

/** Who makes and revokes keys here, as the audit trail names them. */
function actor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    return `cli:${process.getuid?.()}`;
  }
}

const toTime = (time: number | null) => (time === null ? null : new Date(time).toISOString());

function stateOf(key: KeyRecord): "valid" | "revoked" | "expired" {
  if (key.revokedAt !== null) return "revoked";
  return isValid(key, Date.now()) ? "valid" : "expired";
}

function print({ json }: KeysOptions, value: unknown, text: string): void {
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
