import type { Connectable } from "@/server/domain/providers";
import { type ConnectResult, connectCalendarAccount } from "@/server/services/connect/connect-account";
import { type EndedRequest, type ResumableRequest, resumeRequest } from "@/server/services/connect/open";
import { type PasswordProblem, type SignedInAccount, signInByPassword } from "@/server/services/connect/sign-in";
import { type ConnectContext, connectProcedure } from "@/server/services/connect/trpc";
import { rawInput } from "@/server/services/input";

export interface SignInInput {
  /** The request, as `open` and `resume` signed it. */
  signed: string;
  provider: Connectable;
  /** The id of one of the application's CalDAV servers. Omitted: the account is at another provider. */
  server?: string;
  username: string;
  password: string;
}

export type ConnectOutcome = EndedRequest | PasswordProblem | ConnectResult;

/**
 * Signs in at a provider with the form's credentials and issues the authorization code (POST /oauth/authorize). A
 * request that was not signed for this browser reaches no provider.
 */
export const signInAndConnect = connectProcedure
  .input(rawInput((raw) => raw as SignInInput))
  .mutation(async ({ ctx, input }): Promise<ConnectOutcome> => {
    const { signed, provider, server: id, ...login } = input;
    const resumed = await resumeRequest(ctx, signed);
    if (resumed.kind !== "open") return resumed;
    const { application } = resumed;
    const server = application.servers.find((one) => one.id === id)?.url;
    if (id !== undefined && server === undefined) return { kind: "unusable", reason: "form", application };
    const outcome = await signInByPassword(provider, { ...login, server });
    return outcome.kind === "signed_in" ? connectSignedIn(ctx, { ...outcome, found: resumed, provider }) : outcome;
  });

/** Issues the authorization code for an account whose owner has signed in. */
export function connectSignedIn(
  { db, now }: ConnectContext,
  { found, provider, account, calendars }: SignedInAccount & { found: ResumableRequest; provider: Connectable },
): Promise<ConnectResult> {
  const { application, request } = found;
  const { foreignEdits, access } = request;
  const signedIn = { provider, account, calendars, foreignEdits, access };
  return connectCalendarAccount(db, { applicationId: application.id, request, ...signedIn, now });
}
