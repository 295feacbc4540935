import type { Database } from "@/server/db/client";
import { unseal } from "@/server/db/sealed";
import { type Connector, type MailboxAccess, ProviderError } from "@/server/providers/connector";
import { keyedSemaphore } from "@/server/providers/keyed-semaphore";
import {
  type ProfileConnection,
  providerToken,
  sealedCredential,
  storeCredential,
} from "@/server/store/profiles/provider-tokens";

/** A profile as it was claimed. */
export interface ClaimedConnection extends ProfileConnection {
  sealedCredential: string;
  /** The error of the last sync. Omitted: this is none. */
  lastError?: string | null;
}

/** Within a process one after another: each refresh holds a database connection, of which there are few. */
const inTurn = keyedSemaphore(1);

/** Gives what the mailbox of a claimed profile is opened with. */
export function mailboxAccess(db: Database, { signIn }: Connector, claimed: ClaimedConnection): MailboxAccess {
  const { profileId, connection, lastError } = claimed;
  const confirms = lastError === "credentials_rejected";
  const token = (rejected: string | undefined) => {
    if (signIn.kind !== "oauth") throw new Error("a provider with passwords has no access tokens");
    const refresh = (credential: string) => signIn.refresh(credential);
    return providerToken(db, { profileId, connection, rejected, confirms, refresh });
  };
  return {
    credential: unseal(claimed.sealedCredential, sealedCredential(profileId)),
    accessToken: async (rejected) => {
      const found = await inTurn(profileId, () => token(rejected));
      if (found === null) throw new ProviderError({ kind: "credentials_rejected", isRenewal: true }, "connected_again");
      return found;
    },
    renewed: async (credential) => {
      await storeCredential(db.prisma, { profileId, connection }, credential);
    },
  };
}
