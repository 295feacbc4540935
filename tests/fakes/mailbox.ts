import type { Connector, Mailbox, RemoteCalendar, SignedIn } from "@/server/providers/connector";
import { signedInAccess } from "@/server/providers/signed-in-access";

/** The mailbox of somebody who just signed in. */
export function mailboxOf(connector: Connector, account: Pick<SignedIn, "credential" | "token">): Mailbox {
  return connector.open(signedInAccess(account));
}

export async function listedCalendars(mailbox: Mailbox): Promise<RemoteCalendar[]> {
  return (await mailbox.calendars(null)).calendars;
}

/** A connector some of whose mailboxes' methods are replaced. */
export function withMailbox<Kind extends Connector>(
  connector: Kind,
  replaced: (own: Mailbox) => Partial<Mailbox>,
): Kind {
  return {
    ...connector,
    open: (access) => {
      const own = connector.open(access);
      return { ...own, ...replaced(own) };
    },
  };
}

/** What a write may say of its requests, where nobody is to know. */
export const noNote = async () => {};
