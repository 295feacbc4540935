import { clock } from "@/server/clock";
import { type CalendarAccount, type MailboxAccess, ProviderError } from "@/server/providers/connector";

/** Opens the mailbox of an account that nothing is stored of yet. */
export function signedInAccess({ credential, token }: Pick<CalendarAccount, "credential" | "token">): MailboxAccess {
  return {
    credential,
    accessToken: async (rejected) => {
      if (token && token.text !== rejected && token.expiresAt > clock().now()) return token.text;
      throw new ProviderError({ kind: "credentials_rejected" }, "no_access_token");
    },
    renewed: async () => {},
  };
}
