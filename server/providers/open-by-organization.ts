import type { DelegationKey } from "@/server/domain/delegations";
import { type CalendarAccount, type Connector, ProviderError, type RemoteCalendar } from "@/server/providers/connector";
import { type MailboxProblem, organizationCredential } from "@/server/providers/organization";
import { refusedAs } from "@/server/providers/refused-as";
import { signedInAccess } from "@/server/providers/signed-in-access";

/** What of a delegation opens a mailbox. */
export interface Opener {
  id: string;
  key: DelegationKey;
  groupAddress: string | null;
}

/**
 * A mailbox that its organization has opened, or why not. `down`: it can be tried again, after so many milliseconds if the
 * provider says. `detail` is for staff.
 */
export type OpenedMailbox =
  | { kind: "opened"; account: CalendarAccount; calendars: RemoteCalendar[] }
  | { kind: "down"; detail: string; after: number | null }
  | { kind: MailboxProblem["problem"] | "no_mailbox" | "no_calendars" | "not_configured"; detail: string | null };

/** Opens a mailbox with the access of its organization, and lists its calendars. Throws what is no fault of the provider. */
export async function openByOrganization(
  connector: Connector | null,
  { id: delegation, key, groupAddress: group }: Opener,
  email: string,
): Promise<OpenedMailbox> {
  if (!connector?.organization) return { kind: "not_configured", detail: null };
  try {
    const found = await connector.organization.find(key, { email, group });
    if ("problem" in found) return { kind: found.problem, detail: "detail" in found ? found.detail : null };
    const { user, room, ...identity } = found;
    const account = { ...identity, credential: organizationCredential({ delegation, user, room }) };
    const listed = await refusedAs("mailbox", () => connector.open(signedInAccess(account)).calendars(null));
    if ("problem" in listed) return { kind: listed.problem, detail: "detail" in listed ? listed.detail : null };
    const { calendars } = listed;
    return calendars.length > 0 ? { kind: "opened", account, calendars } : { kind: "no_calendars", detail: null };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { fault, message: detail } = error;
    if (fault.kind === "gone" || fault.kind === "no_mailbox") return { kind: "no_mailbox", detail };
    if (fault.kind === "misconfigured") return { kind: "mailbox_refused", detail };
    return { kind: "down", detail, after: fault.kind === "throttled" ? fault.after : null };
  }
}
