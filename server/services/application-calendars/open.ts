import { z } from "zod";
import type { Query } from "@/server/db/client";
import { runComposed } from "@/server/db/composed";
import { newId } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import { differs } from "@/server/domain/compat";
import { MAX_APPLICATION_CALENDAR_ID } from "@/server/domain/text-limits";

import { wireName } from "@/server/domain/wire-names";
import { insertAccount, openAccount } from "@/server/services/application-calendars/open.sql";
import { text } from "@/server/services/fields";
import { authenticateClient } from "@/server/services/grants/client";
import type { LinkingProfile } from "@/server/services/grants/exchange-code";
import { credentials } from "@/server/services/grants/token";
import { type TokenResponse, tokenResponse } from "@/server/services/grants/token-response";
import { inputOf } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { type Client, openProcedure, refuseWrites } from "@/server/services/trpc";
import { issueGrant, readablePair } from "@/server/store/grants/tokens";

const CALENDAR_NAME = "Calendar";

/** The body of POST /v1/application_calendars. */
export const applicationCalendarBody = z
  .object({
    ...credentials,
    application_calendar_id: text({ min: 1, max: MAX_APPLICATION_CALENDAR_ID }).describe(
      "Your id for the calendar. The same id always opens the same calendar.",
    ),
  })
  .meta({ required: ["application_calendar_id"] });

/**
 * Opens the application's calendar of this name (POST /v1/application_calendars), creating it on first use, and returns
 * a new token pair (in compatibility mode the existing one while it is valid). Refuses with 422 first, then
 * wrong_credentials.
 */
export const openApplicationCalendar = openProcedure
  .input(inputOf(applicationCalendarBody))
  .mutation(async ({ input, ctx }) => {
    const client = await authenticateClient(ctx, input);
    if (client === "disabled") throw new Refusal({ kind: "wrong_credentials", isDisabled: true });
    if (!client) throw new Refusal({ kind: "wrong_credentials" });
    refuseWrites(ctx);
    const name = input.application_calendar_id;
    return ctx.db.transaction(async (query) => {
      const account = await accountOf(query, { client, name, host: new URL(ctx.baseUrl).hostname });
      const tokens =
        (differs("repeatsTokens", client) && (await validPair(query, account.id, ctx.now))) ||
        (await newPair(query, account.id, client, ctx.now));
      const linking_profile: LinkingProfile = {
        provider_name: wireName(ctx.names, "hosted"),
        profile_id: account.profile_id,
        profile_name: name,
      };
      return { ...tokens, sub: account.id, account_id: account.id, application_calendar_id: name, linking_profile };
    });
  });

interface OpenedByUs extends NewAccount {
  /** In milliseconds since 1970. */
  now: number;
}

/** Opens a calendar of an application without checking its credentials. */
export async function openCalendarOf(query: Query, { now, ...opened }: OpenedByUs) {
  const { id: accountId } = await accountOf(query, opened);
  return { accountId, tokens: await newPair(query, accountId, opened.client, now) };
}

interface NewAccount {
  client: Client;
  name: string;
  host: string;
}

/** Loads the application's calendar of a name, and creates it on first use. */
export async function accountOf(query: Query, opened: NewAccount) {
  const existing = await findAccount(query, opened);
  if (existing) return existing;
  await createAccount(query, opened);
  const created = await findAccount(query, opened);
  if (!created) throw new Error("an application calendar vanished while it was opened");
  return created;
}

/**
 * Loads the account and shares its row, so that a revocation at the same moment comes before or after, never in
 * between. Compatibility mode locks it: of parallel opens one creates the pair that the others return too.
 */
async function findAccount(query: Query, { client, name }: NewAccount) {
  const isAlone = differs("repeatsTokens", client);
  const [account] = await runComposed(query, openAccount, { applicationId: client.id, name, isAlone });
  return account;
}

/** Creates the account. Does nothing when another request creates the same one: its transaction is waited for. */
async function createAccount(query: Query, { client, name, host }: NewAccount): Promise<void> {
  const id = newId("apc");
  const ids = [newId("pro"), newId("cal")];
  await run(query, insertAccount, [id, client.id, name, `${id}@${host}`, ...ids, CALENDAR_NAME]);
}

async function newPair(query: Query, accountId: string, client: Client, now: number): Promise<TokenResponse> {
  return tokenResponse(await issueGrant(query, { accountId, now, readable: differs("repeatsTokens", client) }));
}

/** Loads the account's newest token pair, which compatibility mode returns again while it is valid. */
async function validPair(query: Query, accountId: string, now: number): Promise<TokenResponse | null> {
  const pair = await readablePair(query, accountId, now);
  return pair && tokenResponse(pair, pair.seconds);
}
