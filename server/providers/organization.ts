import { z } from "zod";
import type { DelegationKey } from "@/server/domain/delegations";
import type { AccessToken } from "@/server/providers/access-token";
import type { Identity } from "@/server/providers/identity";

/** A mailbox that its organization opens, as the credential of its profile says it. */
export interface OrganizationMailbox {
  /** The id of the delegation. */
  delegation: string;
  /** At Google the address that is acted for, at Microsoft the object id. */
  user: string;
  /** A calendar that is read alone, as `user`: a room of Google's. Null: the calendars of the user. */
  room: { email: string; name: string } | null;
}

/** A room that an organization lists. Null: it does not say. */
export interface Room {
  email: string;
  name: string;
  capacity: number | null;
  building: string | null;
}

/** What is asked for when a mailbox is looked for. `group`: the user has to be a member of it. Null: nobody has to. */
export interface MailboxQuestion {
  email: string;
  group: string | null;
}

/** A mailbox that was found, with a first access token. */
export type FoundMailbox = Identity & Omit<OrganizationMailbox, "delegation"> & { token: AccessToken };

/** Where a key or a right of it is missing: everywhere, in the directory, or in mailboxes. */
export type RefusedAt = "key" | "directory" | "mailbox";

/** `detail` is for staff: the provider's own words. */
export type MailboxProblem =
  | { problem: "unknown_mailbox" | "suspended" | "not_in_group" | "no_such_group" }
  | { problem: `${RefusedAt}_refused`; detail: string };

/** How a provider opens mailboxes for their organization. */
export interface Organization {
  /** Issues an access token. Throws `credentials_rejected` when the provider refuses to. */
  token(key: DelegationKey, mailbox: Omit<OrganizationMailbox, "delegation">): Promise<AccessToken>;
  /** Throws `credentials_rejected` when the provider refuses the key itself, whatever the mailbox. */
  prove(key: DelegationKey): Promise<void>;
  /** Finds a user or a room by any of its addresses. Throws ProviderError when the provider cannot be asked. */
  find(key: DelegationKey, asked: MailboxQuestion): Promise<FoundMailbox | MailboxProblem>;
  rooms(key: DelegationKey): Promise<Room[]>;
}

const credential = z.object({
  delegation: z.string(),
  user: z.string(),
  room: z.object({ email: z.string(), name: z.string() }).nullable(),
});

/** Writes the credential of a profile that its organization opens. */
export function organizationCredential({ delegation, user, room }: OrganizationMailbox): string {
  return JSON.stringify({ delegation, user, room } satisfies z.input<typeof credential>);
}

/** Reads it back. Null: the credential is a refresh token or a password, which the user has given. */
export function organizationMailbox(text: string): OrganizationMailbox | null {
  return text.startsWith('{"delegation":') ? credential.parse(JSON.parse(text)) : null;
}
