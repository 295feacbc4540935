import { unseal } from "@/server/db/sealed";
import type { MailboxAccess } from "@/server/providers/connector";

/** What the mailbox of a claimed profile is opened with. */
export function mailboxAccess(profileId: string, sealedCredential: string): MailboxAccess {
  return { credential: unseal(sealedCredential, { table: "profiles", column: "credential", row: profileId }) };
}
