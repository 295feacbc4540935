import { z } from "zod";
import { type Connectable, providerTraits } from "@/server/domain/providers";
import { MAX_ID, MAX_PROVIDER_TOKEN } from "@/server/domain/text-limits";
import { providerNamed } from "@/server/domain/wire-names";
import { connectorOf } from "@/server/providers/connectors";
import { type CallbackProblem, type SignedInAccount, signInByToken } from "@/server/services/connect/sign-in";
import { refused, text } from "@/server/services/fields";
import { codeResponse } from "@/server/services/grants/exchange-code";
import { inputOf } from "@/server/services/input";
import { invalid, Refusal } from "@/server/services/refusal";
import { applicationProcedure, type Client, type Context } from "@/server/services/trpc";
import { lockLivingAccount } from "@/server/store/accounts/lock-account";
import { currentClient } from "@/server/store/applications/oauth-clients";
import { issueGrant } from "@/server/store/grants/tokens";
import { findProfile, storeProfile, takeApplication, wakeProfile } from "@/server/store/profiles/connected-profile";

const provider = z
  .string()
  .transform((name, { issues }): Connectable => {
    const named = providerNamed(name);
    if (named && providerTraits[named].signIn === "oauth" && connectorOf(named)) return named;
    issues.push(
      refused(name, { key: "errors.invalid_value" }, "must be a provider that signs in by OAuth and is configured"),
    );
    return z.NEVER;
  })
  .meta({ type: "string" })
  .describe("The provider that issued the token, as `provider_name` names it.");

/** The body of POST /v1/profiles/import. */
export const importBody = z.object({
  provider_name: provider,
  refresh_token: text({ min: 1, max: MAX_PROVIDER_TOKEN }).describe(
    "The user's refresh token, issued to the OAuth client that Almanac uses for your application.",
  ),
  sub: text({ min: 1, max: MAX_ID })
    .describe("The account that the profile is added to. Omitted: the one that has the profile, or a new one.")
    .optional(),
});

const input = inputOf(importBody);
const BUSY_SECONDS = 5;

/**
 * Connects a calendar account with a refresh token that its user gave the same OAuth client elsewhere
 * (POST /v1/profiles/import). Responds as the exchange of a code does. Refuses with 422 a token that the provider
 * refuses or that allows too little, and an account of others.
 */
export const importProfile = applicationProcedure.input(input).mutation(async ({ input: body, ctx }) => {
  const { provider_name: provider, refresh_token, sub } = body;
  const client = await currentClient(ctx.db.prisma, { applicationId: ctx.client.id, provider });
  const signedIn = await signInByToken({ provider, client }, refresh_token);
  if (signedIn.kind !== "signed_in") throw problemOf(signedIn);
  const response = await store(ctx, { ...signedIn, provider, sub: sub ?? null });
  wakeProfile();
  return response;
});

interface Imported extends SignedInAccount {
  provider: Connectable;
  sub: string | null;
}

function store(ctx: Context & { client: Client }, { provider, account, calendars, sub }: Imported) {
  const { db, now, client } = ctx;
  const applicationId = client.id;
  return db.transaction(async (query, prisma) => {
    const connection = { query, prisma };
    await takeApplication(query, applicationId);
    const isOwn = sub === null || (await prisma.account.count({ where: { id: sub, applicationId } })) > 0;
    if (!isOwn || (sub !== null && !(await lockLivingAccount(query, sub)))) {
      throw invalid({ path: ["sub"], key: "errors.invalid", description: "sub is not an account of your application" });
    }
    const known = await findProfile(query, { applicationId, provider, subject: account.subject });
    if (known && sub !== null && known.accountId !== sub) {
      const description = "sub is not the account that has this calendar account already";
      throw invalid({ path: ["sub"], key: "errors.invalid", description });
    }
    // Nobody was asked on a connect page: what the user agreed to there still holds.
    const { access, foreignEdits } = known ?? { access: "full", foreignEdits: false };
    const stored = { provider, account, calendars, foreignEdits, access };
    const { accountId, profileId } = await storeProfile(connection, {
      ...stored,
      applicationId,
      known,
      accountId: sub,
      now,
    });
    const { grantId: _, ...pair } = await issueGrant(query, { accountId, now });
    return codeResponse(pair, { accountId, profileId, provider, name: account.name }, ctx);
  });
}

function problemOf(problem: CallbackProblem): Refusal {
  const description = sentences[problem.kind];
  if (description === undefined) return new Refusal({ kind: "overloaded", retryAfter: BUSY_SECONDS });
  return invalid({ path: ["refresh_token"], key: "errors.invalid", description });
}

const sentences: Partial<Record<CallbackProblem["kind"], string>> = {
  expired: "refresh_token is refused by the provider: it has expired, was revoked, or belongs to another OAuth client",
  denied: "refresh_token is refused by the provider",
  missing_scope:
    "refresh_token does not allow enough: Almanac needs the calendar scopes of its connect page, and openid and email",
  wrong_account: "refresh_token belongs to an account of another kind than provider_name",
  admin_consent: "refresh_token is refused by the provider until an administrator of the user's organization agrees",
  blocked: "refresh_token is refused by a policy of the user's organization",
  no_calendars: "refresh_token belongs to an account without calendars",
  no_mailbox: "refresh_token belongs to an account without a mailbox",
};
