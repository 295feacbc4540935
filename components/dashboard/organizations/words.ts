import type { AuthorizationOutcome, Delegator } from "@/server/domain/delegations";

export const providerWords: Record<Delegator, string> = { google: "Google Workspace", microsoft: "Microsoft 365" };

export const outcomeWords: Record<AuthorizationOutcome, string> = {
  authorized: "Authorized",
  out_of_reach: "Out of reach",
  unknown_mailbox: "Mailbox not found",
  suspended: "User suspended",
  no_mailbox: "No calendar",
  delegation_refused: "Key rejected",
  provider_unavailable: "Provider unavailable",
};
