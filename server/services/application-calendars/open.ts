import { z } from "zod";
import type { Query } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { wireName } from "@/server/domain/wire-names";
import { text } from "@/server/services/fields";
import { authenticateClient, type Client } from "@/server/services/grants/client";
import type { LinkingProfile } from "@/server/services/grants/exchange-code";
import { credentials } from "@/server/services/grants/token";
import { type TokenResponse, tokenResponse } from "@/server/services/grants/token-response";
import { inputOf } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { openProcedure } from "@/server/services/trpc";
import { issueGrant, readablePair } from "@/server/store/grants/tokens";

const MAX_APPLICATION_CALENDAR_ID = 255;
const CALENDAR_NAME = "Calendar";

/** The body of POST /v1/application_calendars. */
export const applicationCalendarBody = z.object({
  ...credentials,
  application_calendar_id: text({ min: 1, max: MAX_APPLICATION_CALENDAR_ID }).describe(
    "Your id for the calendar. The same id always opens the same calendar.",
  ),
});

/**
 * POST /v1/application_calendars: opens the application's calendar of this name, creating it on first use, and gives a new
 * token pair (in compatibility mode the existing one while it is valid). Refuses with 422 first, then wrong_credentials.
 */
export const openApplicationCalendar = openProcedure
  .input(inputOf(applicationCalendarBody))
  .mutation(async ({ input, ctx }) => {
    const client = await authenticateClient(ctx, input);
    if (!client) throw new Refusal({ kind: "wrong_credentials" });
    const name = input.application_calendar_id;
    return ctx.db.transaction(async (query) => {
      const account = await openAccount(query, { client, name, host: new URL(ctx.baseUrl).hostname });
      const tokens =
        (client.compatibilityMode && (await validPair(query, account.id, ctx.now))) ||
        (await newPair(query, account.id, client, ctx.now));
      const linking_profile: LinkingProfile = {
        provider_name: wireName(ctx.names, "hosted"),
        profile_id: account.profile_id,
        profile_name: name,
      };
      return { ...tokens, sub: account.id, account_id: account.id, application_calendar_id: name, linking_profile };
    });
  });

interface OpenAccount {
  id: string;
  profile_id: string;
}

interface NewAccount {
  client: Client;
  name: string;
  host: string;
}

async function openAccount(query: Query, opened: NewAccount): Promise<OpenAccount> {
  const existing = await findAccount(query, opened);
  if (existing) return existing;
  await createAccount(query, opened);
  const created = await findAccount(query, opened);
  if (!created) throw new Error("an application calendar vanished while it was opened");
  return created;
}

/**
 * Shares the account's row, so that a revocation at the same moment comes before or after, never in between. Compatibility
 * mode takes it alone: of parallel opens one makes the pair that the others repeat.
 */
async function findAccount(query: Query, { client, name }: NewAccount): Promise<OpenAccount | undefined> {
  const [account] = await query<OpenAccount>(
    `SELECT a.id, p.id AS profile_id FROM accounts a JOIN profiles p ON p.account_id = a.id
WHERE a.application_id = $1 AND a.application_calendar_id = $2 AND a.revoked_at IS NULL FOR ${client.compatibilityMode ? "NO KEY UPDATE" : "SHARE"} OF a`,
    [client.id, name],
  );
  return account;
}

/** Does nothing when another request creates the same one: its transaction is waited for. */
async function createAccount(query: Query, { client, name, host }: NewAccount): Promise<void> {
  const id = newId("apc");
  await query(
    `WITH a AS (INSERT INTO accounts (id, application_id, kind, application_calendar_id, name, email, calendar_count)
  VALUES ($1, $2, 'application_calendar', $3, $3, $4, 1)
  ON CONFLICT (application_id, application_calendar_id) WHERE revoked_at IS NULL AND application_calendar_id IS NOT NULL DO NOTHING
  RETURNING id, application_id),
p AS (INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, initial_sync_required)
  SELECT $5, id, application_id, 'hosted', 'hosted', id, $3, false FROM a RETURNING id, account_id)
INSERT INTO calendars (id, account_id, profile_id, number, external_id, name, "primary")
SELECT $6, account_id, id, 1, 'primary', $7, true FROM p`,
    [id, client.id, name, `${id}@${host}`, newId("pro"), newId("cal"), CALENDAR_NAME],
  );
}

async function newPair(query: Query, accountId: string, client: Client, now: number): Promise<TokenResponse> {
  return tokenResponse(await issueGrant(query, { accountId, now, readable: client.compatibilityMode }));
}

/** The account's newest pair, as compatibility mode repeats it while it is valid. */
async function validPair(query: Query, accountId: string, now: number): Promise<TokenResponse | null> {
  const pair = await readablePair(query, accountId, now);
  return pair && tokenResponse(pair, pair.seconds);
}
