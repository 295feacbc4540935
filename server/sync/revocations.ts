import { clock } from "@/server/clock";
import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { seal, unseal } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import type { Provider } from "@/server/domain/providers";
import { log } from "@/server/log";
import { type Connector, type Mailbox, type MailboxAccess, ProviderError } from "@/server/providers/connector";
import type { Watch } from "@/server/providers/watching";
import { claimRevocation, type DueRevocation } from "@/server/store/mailboxes/watches.sql";
import { refreshedToken } from "@/server/store/profiles/mailbox-access";
import { sealedCredential } from "@/server/store/profiles/provider-tokens";

const MOST_IN_A_ROW = 10;
const MOST_ATTEMPTS = 6;
/** Less than the first wait of `claimRevocation`: the next try is not to begin beside this one. */
const LONGEST_TRY_MS = 2 * 60_000;

/** Ends our access to calendar accounts whose data was deleted, or that were never connected: stops their watches, and revokes the grant. A few of those that are due. */
export async function workRevocations(db: Database, connectorOf: (provider: Provider) => Connector | null) {
  for (let worked = 0; worked < MOST_IN_A_ROW; worked += 1) {
    const [due] = await run(db.query, claimRevocation, [databaseTime()]);
    if (!due) return;
    const isDone = await revoke(db, connectorOf(due.provider), due).catch((error) => {
      const fault = error instanceof ProviderError ? error.message : "internal";
      log({ module: "sync" }).info(
        { profileId: due.profileId, fault },
        "access to a calendar account could not be ended",
      );
      return error instanceof ProviderError && error.fault.kind === "credentials_rejected";
    });
    if (isDone || due.attempt >= MOST_ATTEMPTS) await end(db, due);
  }
}

/** Ends a revocation, unless the next try has begun: that one ends by itself. */
async function end({ prisma }: Database, { profileId, attempt }: DueRevocation): Promise<void> {
  await prisma.providerRevocation.deleteMany({ where: { profileId, attempts: attempt } });
}

/**
 * Revokes a grant and stops its watches. A grant belongs to the user and to this service: while another profile uses
 * it, only the watches are stopped.
 */
async function revoke(db: Database, connector: Connector | null, due: DueRevocation): Promise<boolean> {
  if (!connector) return false;
  const mailbox = connector.open(accessOf(db, connector, due));
  let isStopped = true;
  const late = clock().monotonic() + LONGEST_TRY_MS;
  for (const watch of due.watches) {
    if (clock().monotonic() > late) return false;
    isStopped = (await stopped(mailbox, watch, due.profileId)) && isStopped;
  }
  if (!due.isShared) await mailbox.revoke?.();
  return isStopped;
}

/** Stops a watch and reports whether it is over: it was stopped, has ended by itself, or is gone. */
async function stopped(mailbox: Mailbox, watch: Watch, profileId: string): Promise<boolean> {
  if (watch.expiresAt <= clock().now()) return true;
  try {
    await mailbox.watch?.stop(watch);
    return true;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.fault.kind === "gone") return true;
    log({ module: "sync" }).info({ profileId, fault: error.message }, "a watch could not be stopped");
    return false;
  }
}

/**
 * Opens access to a mailbox whose profile is gone, and its access tokens with it: one is issued for this. Keeps a
 * credential that replaces the old one for the next try.
 */
function accessOf(
  { prisma }: Database,
  connector: Connector,
  { profileId, credential: sealed, ownClient, attempt }: DueRevocation,
): MailboxAccess {
  let credential = unseal(sealed, sealedCredential(profileId));
  let token: string | null = null;
  const renewed = async (fresh: string) => {
    if (fresh === credential) return;
    credential = fresh;
    const data = { credential: seal(fresh, sealedCredential(profileId)) };
    await prisma.providerRevocation.updateMany({ where: { profileId, attempts: attempt }, data });
  };
  return {
    get credential() {
      return credential;
    },
    accessToken: async (rejected) => {
      if (token !== null && token !== rejected) return token;
      const fresh = await refreshedToken(connector, { credential, ownClient }, prisma);
      await renewed(fresh.credential);
      token = fresh.token.text;
      return token;
    },
    renewed,
  };
}
