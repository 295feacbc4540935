import type { Database, Query } from "@/server/db/client";
import { newId, newToken } from "@/server/db/new-id";
import { digest, seal } from "@/server/db/sealed";
import { wake } from "@/server/db/wake";
import { zone } from "@/server/domain/time/zone";
import type { Connectable, WireToken } from "@/server/domain/wire-names";
import type { ConnectedAccount, RemoteCalendar } from "@/server/providers/connector";
import { storeCalendars } from "@/server/services/calendars/store";
import type { ConnectRequest } from "@/server/services/connect/request";
import { spendLinkToken } from "@/server/services/link-tokens";
import { unparkWrites } from "@/server/services/provider-writes/park";

/** "Authorization code: single use, 10 minutes" ("Limits"). */
const CODE_LIFE_MS = 600_000;

const services: Record<Connectable, WireToken> = {
  prov_a: "svc_a1",
  prov_b: "svc_b1",
  prov_c: "svc_c1",
  prov_d: "svc_d1",
};

export interface Connecting {
  applicationId: string;
  request: Pick<ConnectRequest, "redirectUri" | "codeChallenge" | "linkToken">;
  provider: Connectable;
  /** What the provider gave. */
  account: ConnectedAccount;
  calendars: readonly RemoteCalendar[];
  /** Milliseconds since 1970. */
  now: number;
}

export type Connected =
  | { kind: "connected"; code: string; accountId: string; profileId: string }
  /** The link token was used meanwhile, or the calendar account belongs to another account of the application. */
  | { kind: "denied" };

/**
 * Stores a calendar account that a person connected, with its first calendars, and issues the authorization code, in one
 * transaction. A calendar account that the application knows comes back as the same profile, calendars and account ("Profile, disconnected"); a new one
 * makes an account, or joins that of the link token.
 */
export async function connectCalendarAccount(db: Database, connecting: Connecting): Promise<Connected> {
  const { applicationId, provider, account, calendars, now } = connecting;
  const connected = await db.transaction(async (query): Promise<Connected> => {
    // One after another: the same calendar account connected twice at once is one profile.
    await query("SELECT FROM applications WHERE id = $1 FOR NO KEY UPDATE", [applicationId]);
    const hash = connecting.request.linkToken;
    const linked = hash && (await spendLinkToken(query, { hash: Buffer.from(hash, "base64url"), applicationId, now }));
    if (hash && !linked) return { kind: "denied" };
    const known = await findProfile(query, { applicationId, provider, subject: account.subject });
    if (known && linked && known.accountId !== linked) return { kind: "denied" };
    const profile = known ?? (await addProfile(query, { ...connecting, accountId: linked || null }));
    await signInProfile(query, { profileId: profile.profileId, account, now });
    await storeCalendars(within(db, query), { profileId: profile.profileId, calendars });
    await unparkWrites(query, profile.profileId);
    return { kind: "connected", ...profile, code: await issueCode(query, { ...connecting, ...profile }) };
  });
  if (connected.kind === "connected") for (const work of ["sync", "push"] as const) wake(work);
  return connected;
}

interface ProfileOfAccount {
  accountId: string;
  profileId: string;
}

/** Takes the account, first of all as a revocation does: its profile is there, or goes with it. */
async function findProfile(
  query: Query,
  { applicationId, provider, subject }: { applicationId: string; provider: Connectable; subject: string },
): Promise<ProfileOfAccount | undefined> {
  const [profile] = await query<ProfileOfAccount>(
    `SELECT a.id AS "accountId", p.id AS "profileId" FROM accounts a JOIN profiles p ON p.account_id = a.id
WHERE p.application_id = $1 AND p.provider = $2 AND p.subject = $3 AND a.revoked_at IS NULL FOR NO KEY UPDATE OF a`,
    [applicationId, provider, subject],
  );
  return profile;
}

async function addProfile(query: Query, added: Connecting & { accountId: string | null }): Promise<ProfileOfAccount> {
  const { applicationId, provider, account, now } = added;
  const accountId = added.accountId ?? (await addAccount(query, added));
  const profileId = newId("pro");
  await query(
    `INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [profileId, accountId, applicationId, provider, services[provider], account.subject, account.name, new Date(now)],
  );
  return { accountId, profileId };
}

async function addAccount(query: Query, { applicationId, account, calendars, now }: Connecting): Promise<string> {
  const id = newId("acc");
  const tzid = (calendars.find(({ primary }) => primary) ?? calendars[0])?.tzid;
  await query(
    `INSERT INTO accounts (id, application_id, kind, name, email, default_tzid, created_at)
VALUES ($1, $2, 'account', $3, $4, $5, $6)`,
    [id, applicationId, account.name, account.email, tzid && zone(tzid) ? tzid : "Etc/UTC", new Date(now)],
  );
  return id;
}

/** A sync that runs with the old credential loses its lease, so that it cannot disconnect the profile again. */
async function signInProfile(
  query: Query,
  { profileId, account, now }: { profileId: string; account: ConnectedAccount; now: number },
): Promise<void> {
  await query(
    `UPDATE profiles SET credential = $2, name = $3, connected = true, sync_due_at = $4, sync_failures = 0, sync_error = NULL,
  sync_lease = NULL, sync_leased_until = NULL WHERE id = $1`,
    [
      profileId,
      seal(account.credential, { table: "profiles", column: "credential", row: profileId }),
      account.name,
      new Date(now),
    ],
  );
}

/** The same transaction for a service that would open its own. */
function within(db: Database, query: Query): Database {
  return { ...db, query, transaction: (work) => work(query) };
}

async function issueCode(query: Query, issued: Connecting & ProfileOfAccount): Promise<string> {
  const { applicationId, accountId, profileId, request, now } = issued;
  const code = newToken();
  await query(
    `INSERT INTO codes (hash, application_id, account_id, profile_id, redirect_uri, code_challenge, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      digest(code),
      applicationId,
      accountId,
      profileId,
      request.redirectUri,
      request.codeChallenge,
      new Date(now),
      new Date(now + CODE_LIFE_MS),
    ],
  );
  return code;
}
