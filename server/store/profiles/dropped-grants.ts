import type { Database } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { seal } from "@/server/db/sealed";
import type { Connectable } from "@/server/domain/providers";
import type { SignedIn } from "@/server/providers/connector";
import { sealedCredential } from "@/server/store/profiles/provider-tokens";

/**
 * Has a grant that no profile came of revoked at its provider, from `dueAt` on (milliseconds since 1970). It stays if the same calendar
 * account is connected by then: a provider has one grant for a user and this service.
 */
export async function dropGrant(
  { prisma }: Database,
  { provider, account, dueAt }: { provider: Connectable; account: SignedIn; dueAt: number },
): Promise<void> {
  const profileId = newId("pro");
  const credential = seal(account.credential, sealedCredential(profileId));
  const data = { profileId, provider, subject: account.subject, credential, dueAt: new Date(dueAt) };
  await prisma.providerRevocation.create({ data });
}
