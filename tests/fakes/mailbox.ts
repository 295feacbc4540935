import type { Connector, Mailbox, SignedIn } from "@/server/providers/connector";
import { signedInAccess } from "@/server/providers/signed-in-access";

/** The mailbox of somebody who just signed in. */
export function mailboxOf(connector: Connector, account: Pick<SignedIn, "credential" | "token">): Mailbox {
  return connector.open(signedInAccess(account));
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
