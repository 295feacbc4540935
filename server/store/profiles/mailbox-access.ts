import type { Database } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { unseal } from "@/server/db/sealed";
import type { RefreshedToken } from "@/server/providers/access-token";
import { type Connector, type MailboxAccess, ProviderError } from "@/server/providers/connector";
import { keyedSemaphore } from "@/server/providers/keyed-semaphore";
import { organizationMailbox } from "@/server/providers/organization";
import { findClient } from "@/server/store/applications/oauth-clients";
import { findDelegation, keyOf } from "@/server/store/delegations/delegations";
import type { Spending } from "@/server/store/mailboxes/provider-budget";
import {
  type ProfileConnection,
  providerToken,
  sealedCredential,
  storeCredential,
  type TokenNeed,
} from "@/server/store/profiles/provider-tokens";

/** A profile as it was claimed. */
export interface ClaimedConnection extends ProfileConnection {
  sealedCredential: string;
  /** The id of the application's own client that it was connected by. Null: none. */
  ownClient: string | null;
  /** The error of the last sync. Omitted: this is none. */
  lastError?: string | null;
}

/** Within a process one after another: each refresh holds a database connection, of which there are few. */
const inTurn = keyedSemaphore(1);

/** Gives what the mailbox of a claimed profile is opened with. `spending`: what its requests are counted for. */
export function mailboxAccess(
  db: Database,
  connector: Connector,
  claimed: ClaimedConnection,
  spending: Pick<Spending, "spend">,
): MailboxAccess {
  const { profileId, connection, ownClient, lastError } = claimed;
  const confirms = lastError === "credentials_rejected";
  const token = (rejected: string | undefined) => {
    const refresh: TokenNeed["refresh"] = (credential, prisma) =>
      refreshedToken(connector, { credential, ownClient }, prisma);
    return providerToken(db, { profileId, connection, rejected, confirms, refresh });
  };
  return {
    credential: unseal(claimed.sealedCredential, sealedCredential(profileId)),
    accessToken: async (rejected) => {
      const found = await inTurn(profileId, () => token(rejected));
      if (found === null) throw new ProviderError({ kind: "credentials_rejected", isRenewal: true }, "connected_again");
      return found;
    },
    spend: (requests) => spending.spend(requests),
    renewed: async (credential) => {
      await storeCredential(db.prisma, { profileId, connection }, credential);
    },
  };
}

/**
 * Requests an access token for the credential of a profile: a refresh token, which the client that it was issued to
 * renews, or a mailbox that its organization opens. Throws `credentials_rejected` when the provider refuses, or the
 * organization's access was removed.
 */
export async function refreshedToken(
  { signIn, organization }: Connector,
  { credential, ownClient }: { credential: string; ownClient: string | null },
  prisma: Prisma.TransactionClient,
): Promise<RefreshedToken> {
  const mailbox = organizationMailbox(credential);
  if (mailbox === null) {
    if (signIn.kind !== "oauth") throw new Error("a provider with passwords has no access tokens");
    if (ownClient === null) return await signIn.refresh(credential);
    const client = await findClient(prisma, ownClient);
    if (!client) throw new ProviderError({ kind: "credentials_rejected" }, "no_oauth_client");
    return await signIn.as(client).refresh(credential);
  }
  const delegation = await findDelegation(prisma, mailbox.delegation);
  if (!organization || !delegation) throw new ProviderError({ kind: "credentials_rejected" }, "no_delegation");
  return { credential, token: await organization.token(keyOf(delegation), mailbox) };
}
