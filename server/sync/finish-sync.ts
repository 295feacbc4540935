import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { providerTraits } from "@/server/domain/providers";
import type { DelegationReason } from "@/server/domain/trouble/reasons";
import { log } from "@/server/log";
import { meters } from "@/server/meters";
import { ProviderError, storedFault } from "@/server/providers/connector";
import { connectorOf } from "@/server/providers/connectors";
import { findDelegation, keyOf } from "@/server/store/delegations/delegations";
import { probe } from "@/server/store/delegations/probe";
import { disconnectProfile } from "@/server/store/profiles/connection-state";
import { withdraw } from "@/server/store/profiles/withdrawal";
import type { ClaimedProfile } from "@/server/sync/claim-profiles";
import { releaseProfile } from "@/server/sync/finish-sync.sql";
import type { SyncEnd } from "@/server/sync/sync-profile";
import { failedSyncWait, nextPollWait, pollWait } from "@/server/sync/waits";

/** Rejected credentials are tried once more before the profile is disconnected (ADR 16). */
const CONFIRM_MS = 30_000;

export interface Finishing {
  db: Database;
  profile: ClaimedProfile;
  pollMs: number;
  /** That of a profile in which nothing changes. */
  longestPollMs: number;
  random(): number;
  /** The sync was slow. */
  isSlow: boolean;
}

/** Stores the result of a sync and when the next one is due. Does nothing when the claim was lost. */
export async function finishSync(finishing: Finishing, end: SyncEnd): Promise<void> {
  const { pollMs, longestPollMs, random, profile } = finishing;
  const keepsPoll = !profile.isPoll;
  meters()?.sync({ provider: profile.provider, result: end.kind });
  if (end.kind === "stopped") return await release(finishing, { failures: profile.failures - 1, waitMs: 0, keepsPoll });
  const waitMs = nextPollWait({ pollMs, ...providerTraits[profile.provider], ...end }, random);
  const next = {
    waitMs,
    quietWaitMs: end.watchedForMs === null ? pollWait(longestPollMs, random) : null,
    synced: true,
    keepsPoll,
  };
  if (end.kind === "synced") return await release(finishing, { ...next, failures: 0, error: null });
  const { error, isKnown } = end;
  await release(finishing, { ...next, failures: isKnown ? profile.failures - 1 : profile.failures, error });
}

/** Stores the end of a sync that failed. */
export async function failSync(finishing: Finishing, thrown: unknown): Promise<void> {
  const { profile, pollMs } = finishing;
  const { failures } = profile;
  const result = thrown instanceof ProviderError ? thrown.fault.kind : "internal";
  meters()?.sync({ provider: profile.provider, result });
  if (!(thrown instanceof ProviderError)) {
    log({ module: "sync" }).error({ profileId: profile.id, err: thrown }, "a profile could not be synced");
    const waitMs = failedSyncWait(pollMs, failures, null);
    return await release(finishing, { failures, waitMs, error: "internal" });
  }
  const { fault, message } = thrown;
  log({ module: "sync" }).info({ profileId: profile.id, fault: message, failures }, "a provider could not be asked");
  if (fault.kind === "credentials_rejected") return await credentialsRejected(finishing);
  // It waits for the budget like everything that was not begun: the mailbox has not failed.
  if (fault.kind === "throttled" && fault.scope === "application")
    return await release(finishing, { failures: failures - 1, waitMs: 0, keepsPoll: !profile.isPoll });
  const after = fault.kind === "throttled" ? fault.after : null;
  await release(finishing, { failures, waitMs: failedSyncWait(pollMs, failures, after), error: storedFault(fault) });
}

/** Disconnects before it releases the claim, so that a process that dies in between leaves nothing half done. */
async function credentialsRejected(finishing: Finishing): Promise<void> {
  const { db, profile } = finishing;
  const failures = profile.failures;
  if (profile.lastError !== "credentials_rejected")
    return await release(finishing, { failures, waitMs: CONFIRM_MS, error: "credentials_rejected" });
  const { id, lease, connection } = profile;
  const held = await db.prisma.profile.findFirst({
    select: { delegationId: true },
    where: { id, connection, sync: { syncLease: lease } },
  });
  const delegationId = held?.delegationId ?? null;
  if (delegationId === null) {
    if (held) await disconnectProfile(db, id);
    return await release(finishing, { failures, waitMs: null, error: "credentials_rejected" });
  }
  const verdict = await whoIsRefused(db, delegationId, id);
  if (verdict === "unknown")
    return await release(finishing, { failures, waitMs: CONFIRM_MS, error: "credentials_rejected" });
  await disconnectProfile(db, id, verdict);
}

/**
 * Finds out whether the provider refuses the organization's key, and not one mailbox, by asking for others. Then all of
 * its profiles are disconnected at once. `unknown`: the provider could not be asked.
 */
async function whoIsRefused(db: Database, delegationId: string, except: string): Promise<DelegationReason | "unknown"> {
  const delegation = await findDelegation(db.prisma, delegationId);
  if (!delegation) return "delegation_removed";
  if (delegation.isWithdrawn) return "delegation_withdrawn";
  const asked = { delegationId, key: keyOf(delegation), except };
  const probed = await probe(db, connectorOf(delegation.provider), asked);
  if (probed.kind === "accepted") return "delegation_refused";
  if (probed.kind === "unknown") return "unknown";
  if (!(await withdraw(db, delegation))) return "unknown";
  log({ module: "sync" }).warn({ delegationId, fault: probed.detail }, "an organization's key was withdrawn");
  return "delegation_withdrawn";
}

interface Next {
  failures: number;
  /** Null: not until the profile is connected again. */
  waitMs: number | null;
  /** The longest wait, when nothing has changed for long. Omitted: as `waitMs`. */
  quietWaitMs?: number | null;
  /** Omitted: unchanged. */
  error?: string | null;
  synced?: boolean;
  /** The poll stays due when it was, where it is due later than the next sync. */
  keepsPoll?: boolean;
}

/**
 * Releases a profile and sets when it is due next. A profile that was connected again, or for which a sync was
 * requested in the meantime, is due at once. If only a notice of its provider came, its next poll is due when it would
 * have been.
 */
async function release(
  { db, profile, pollMs, random, isSlow }: Finishing,
  { failures, waitMs, quietWaitMs, error, synced = false, keepsPoll = false }: Next,
): Promise<void> {
  await run(db.query, releaseProfile, [
    profile.id,
    profile.lease,
    databaseTime(),
    failures,
    error === undefined,
    error ?? null,
    synced,
    waitMs,
    profile.connection,
    isSlow,
    keepsPoll,
    pollWait(pollMs, random),
    quietWaitMs ?? null,
  ]);
}
