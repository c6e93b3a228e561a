import { Command, Option } from "commander";
import {
  createKey,
  isValid,
  type KeyRecord,
  listKeys,
  revokeKey,
  SCOPES,
  type Scope,
  toMicro,
} from "../service/index.ts";
import { actor, credits, type KeyOptions, limitsOf, withKeyOptions } from "./options.ts";
import { notEmpty, type Place, print, withMadeStore, withPlace, withStore } from "./place.ts";

interface KeysOptions extends Place {
  json?: boolean;
}

interface CreateOptions extends KeysOptions, KeyOptions {
  org: string;
  user: string;
  credits: number;
  ownCredits?: number;
  scope: Scope;
}

export function keysCommand(): Command {
  const keys = new Command("keys").description("make, list and revoke API keys");
  withKeyOptions(withOptions(keys.command("create")))
    .description("make a key, and the organization and user that it needs")
    .requiredOption("--org <name>", "organization that the key is bound to", notEmpty)
    .requiredOption("--user <name>", "user whom the key stands for", notEmpty)
    .option("--credits <number>", "credits to give to the organization", credits, 0)
    .option("--own-credits <number>", "credits to give to the user, who then spends only those", credits)
    .addOption(
      new Option(
        "--scope <scope>",
        "read: to look; submit: also to make and delete; admin: also to read metrics",
      )
        .choices(SCOPES)
        .default("submit"),
    )
    .action((options: CreateOptions) =>
      withMadeStore("keys", options, async store => {
        const { org, user, allow, ownCredits } = options;
        if (allow) (await import("./device.ts")).checkPatterns(options);
        const own = ownCredits === undefined ? {} : { credits: toMicro(ownCredits) };
        const request = {
          organization: org,
          user,
          grant: toMicro(options.credits),
          budget: { ...own, ...limitsOf(options) },
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

const withOptions = (command: Command) => withPlace(command).option("--json", "print JSON");

const toTime = (time: number | null) => (time === null ? null : new Date(time).toISOString());

function stateOf(key: KeyRecord): "valid" | "revoked" | "expired" {
  if (key.revokedAt !== null) return "revoked";
  return isValid(key, Date.now()) ? "valid" : "expired";
}
