import type { CalendarAccount, Connector, Mailbox, RemoteCalendar } from "@/server/providers/connector";
import { signedInAccess } from "@/server/providers/signed-in-access";

/** The mailbox of somebody who just signed in. */
export function mailboxOf(connector: Connector, account: Pick<CalendarAccount, "credential" | "token">): Mailbox {
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

/** Does something after each write that the provider has accepted, before anybody else hears of it. */
export function withWrites<Kind extends Connector>(connector: Kind, after: () => Promise<void>): Kind {
  const then = async <Result>(written: Promise<Result>) => {
    const result = await written;
    await after();
    return result;
  };
  return withMailbox(connector, (own) => ({
    read: async (event, since) => {
      const current = await own.read(event, since);
      return current && { ...current, store: (state, note) => then(current.store(state, note)) };
    },
    create: (...event) => then(own.create(...event)),
    remove: (...event) => then(own.remove(...event)),
  }));
}

/** What a write may say of its requests, where nobody is to know. */
export const noNote = async () => {};
