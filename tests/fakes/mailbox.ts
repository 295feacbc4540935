import type { Connector, Mailbox, SignedIn } from "@/server/providers/connector";

/** The mailbox of somebody who just signed in. */
export function mailboxOf(connector: Connector, { credential }: Pick<SignedIn, "credential">): Mailbox {
  return connector.open({ credential });
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
