import { clock } from "@/server/clock";
import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import type { Prisma } from "@/server/db/generated/client";
import { run } from "@/server/db/statement";
import { type AuthorizationError, type AuthorizationOutcome, mayReach, nextTryWait } from "@/server/domain/delegations";
import { log } from "@/server/log";
import { connectorOf } from "@/server/providers/connectors";
import { type OpenedMailbox, openByOrganization } from "@/server/providers/open-by-organization";
import { type Delegation, delegationsOf, keyOf } from "@/server/store/delegations/delegations";
import { findProfile, storeProfile, takeApplication, wakeProfile } from "@/server/store/profiles/connected-profile";
import type { ProfileOfAccount } from "@/server/store/profiles/connected-profile.sql";
import { restore } from "@/server/store/profiles/withdrawal";
import { type ClaimedAuthorization, tryAgain } from "@/server/webhooks/authorizations/claim.sql";

/** An authorization of which the callback URL can be told. */
export type Decided = ClaimedAuthorization & { outcome: NonNullable<ClaimedAuthorization["outcome"]> };

/**
 * Opens the mailbox of an authorization with the organization's access, and stores its profile: one that the application
 * knows keeps its account and its ids. Null: it is tried again later, or another process has it.
 */
export async function openMailbox(db: Database, claimed: ClaimedAuthorization): Promise<Decided | null> {
  const reaching = (await delegationsOf(db, claimed.applicationId)).filter((delegation) =>
    mayReach(delegation, delegation.provider, claimed.email),
  );
  if (reaching.length === 0) return await refuse(db, claimed, "out_of_reach");
  const faults: AuthorizationError[] = [];
  let after: number | null = null;
  // Rooms can be any organization's: all are asked until one has it.
  for (const delegation of reaching) {
    const opened = await openBy(delegation, claimed);
    if (opened.kind === "opened") return await connect(db, claimed, { ...opened, delegation });
    const { kind, detail } = opened;
    log({ module: "authorizations" }).info({ authorizationId: claimed.id, kind, detail }, "a mailbox was not opened");
    if (kind === "down") after = Math.max(after ?? 0, opened.after ?? 0);
    faults.push(errors[kind]);
  }
  const error = worst.find((one) => faults.includes(one)) ?? "out_of_reach";
  const wait = error === "provider_unavailable" ? nextTryWait(claimed.attempt, after) : null;
  if (wait === null) return await refuse(db, claimed, error);
  await run(db.query, tryAgain, [claimed.id, claimed.attempt, databaseTime(), wait, null, error]);
  return null;
}

/** Opens a mailbox. An internal error, such as a key that can't be read any more, counts as a provider that is down. */
async function openBy(delegation: Delegation, { id, email }: ClaimedAuthorization): Promise<OpenedMailbox> {
  try {
    const { id: delegationId, groupAddress } = delegation;
    const opener = { id: delegationId, key: keyOf(delegation), groupAddress };
    return await openByOrganization(connectorOf(delegation.provider), opener, email);
  } catch (error) {
    log({ module: "authorizations" }).error({ authorizationId: id, err: error }, "a mailbox could not be opened");
    return { kind: "down", detail: "internal", after: null };
  }
}

/** What is told if several organizations may reach the address: the first of these. */
const worst: readonly AuthorizationError[] = [
  "provider_unavailable",
  "delegation_refused",
  "suspended",
  "no_mailbox",
  "out_of_reach",
  "unknown_mailbox",
];

type OpenedNow = Extract<OpenedMailbox, { kind: "opened" }>;

const errors: Record<Exclude<OpenedMailbox["kind"], "opened">, AuthorizationError> = {
  unknown_mailbox: "unknown_mailbox",
  suspended: "suspended",
  not_in_group: "out_of_reach",
  no_such_group: "out_of_reach",
  no_calendars: "no_mailbox",
  no_mailbox: "no_mailbox",
  key_refused: "delegation_refused",
  directory_refused: "delegation_refused",
  mailbox_refused: "delegation_refused",
  not_configured: "provider_unavailable",
  down: "provider_unavailable",
};

async function refuse(
  db: Database,
  claimed: ClaimedAuthorization,
  outcome: AuthorizationError,
): Promise<Decided | null> {
  const isNoted = await noteOutcome(db.prisma, claimed, { outcome });
  return isNoted ? { ...claimed, outcome, attempt: 1 } : null;
}

async function connect(
  db: Database,
  claimed: ClaimedAuthorization,
  { delegation, account, calendars }: OpenedNow & { delegation: Delegation },
): Promise<Decided | null> {
  const { applicationId } = claimed;
  const { provider } = delegation;
  const stored = await db
    .transaction(async (query, prisma): Promise<ProfileOfAccount | null> => {
      await takeApplication(query, applicationId);
      const living = await prisma.delegation.count({ where: { id: delegation.id } });
      if (living === 0) return null;
      const known = await findProfile(query, { applicationId, provider, subject: account.subject });
      // Nobody was asked on a connect page: what the user agreed to there still holds.
      const { access, foreignEdits } = known ?? { access: "full", foreignEdits: false };
      const { accountId, profileId } = await storeProfile(
        { query, prisma },
        {
          ...{ applicationId, provider, account, calendars, access, foreignEdits, known },
          ...{ delegationId: delegation.id, accountId: null, now: clock().now() },
        },
      );
      if (!(await noteOutcome(prisma, claimed, { outcome: "authorized", accountId, profileId }))) throw new LostClaim();
      return { accountId, profileId };
    })
    .catch((error) => {
      if (error instanceof LostClaim) return undefined;
      throw error;
    });
  if (stored === undefined) return null;
  if (stored === null) return await refuse(db, claimed, "out_of_reach");
  wakeProfile();
  // It works again, so its other mailboxes do, too.
  if (delegation.isWithdrawn) await restore(db, delegation.id);
  return { ...claimed, ...stored, outcome: "authorized", attempt: 1 };
}

/** Notes what came of a mailbox, whose callback URL is told next. False: the claim was lost. */
async function noteOutcome(
  prisma: Prisma.TransactionClient,
  { id, attempt }: ClaimedAuthorization,
  outcome: { outcome: AuthorizationOutcome; accountId?: string; profileId?: string },
): Promise<boolean> {
  const { count } = await prisma.serviceAccountAuthorization.updateMany({
    where: { id, attempts: attempt, outcome: null },
    data: { ...outcome, attempts: 1 },
  });
  return count > 0;
}

/** Rolls back what another process does now. */
class LostClaim extends Error {
  override name = "LostClaim";
}
