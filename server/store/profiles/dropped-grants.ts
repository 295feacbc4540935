import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/db/new-id";
import { seal, unseal } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import type { Connectable, Provider } from "@/server/domain/providers";
import type { CalendarAccount } from "@/server/providers/connector";
import { queueRevocation } from "@/server/store/mailboxes/watches.sql";
import { sealedCredential } from "@/server/store/profiles/provider-tokens";

/**
 * Has a grant that led to no profile revoked at its provider, after a number of milliseconds. Keeps it if the same
 * calendar account is connected by then: a provider has one grant for a user and this service.
 */
export async function dropGrant(
  db: Database,
  { provider, account, afterMs }: { provider: Connectable; account: CalendarAccount; afterMs: number },
): Promise<void> {
  const profileId = newId("pro");
  const credential = seal(account.credential, sealedCredential(profileId));
  const { subject, ownClient = null } = account;
  const values = [profileId, provider, subject, credential, databaseTime(), afterMs, ownClient];
  await run(db.query, queueRevocation, values);
}

/**
 * Has the access that a profile had until now ended at its provider, with what notifies us of changes: it is about to be
 * opened in another way. Call it before the profile is signed in.
 */
export async function dropFormerAccess(
  prisma: Prisma.TransactionClient,
  { profileId, provider, now }: { profileId: string; provider: Provider; now: number },
): Promise<void> {
  const profile = await prisma.profile.findUnique({
    select: { credential: true, oauthClientId: true, subject: true, watches: true },
    where: { id: profileId },
  });
  await prisma.providerWatch.deleteMany({ where: { profileId } });
  if (!profile?.credential) return;
  const id = newId("pro");
  const credential = seal(unseal(profile.credential, sealedCredential(profileId)), sealedCredential(id));
  const watches = profile.watches.flatMap(({ channel, resource, expiresAt }) =>
    resource === null || expiresAt === null ? [] : [{ channel, resource, expiresAt: expiresAt.getTime() }],
  );
  const { subject, oauthClientId } = profile;
  const data = { profileId: id, provider, subject, credential, oauthClientId, watches, dueAt: new Date(now) };
  await prisma.providerRevocation.create({ select: { profileId: true }, data });
}
