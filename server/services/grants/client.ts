import { timingSafeEqual } from "node:crypto";
import type { Database } from "@/server/db/client";
import { digest } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import { isFaulty } from "@/server/domain/text";
import { MIN_SECRET_ALONE } from "@/server/domain/text-limits";
import {
  type ClientCandidate,
  clientCandidates,
  clientsOfSecret,
  type StoredClient,
} from "@/server/services/grants/client.sql";
import type { ClientRequest } from "@/server/services/grants/client-input";
import { oauthRefusal } from "@/server/services/refusal";
import type { Client, Context } from "@/server/services/trpc";

const LAST_USE_GRAIN_MS = 60 * 60 * 1000;
/** What guesses without a client id are counted under. No client has this id. */
const NO_CLIENT = "";
const nobody = {
  id: "",
  plan: "standard" as const,
  compatibilityMode: false,
  isPublic: false,
  isDisabled: false,
  secretId: "",
  digest: Buffer.alloc(32),
  lastUsedAt: null,
};

/** A client of the OAuth endpoints. */
export interface OAuthClient extends Client {
  /** Its codes need a challenge, and its refresh tokens rotate. */
  isPublic: boolean;
  /** It showed a secret. */
  isAuthenticated: boolean;
}

type Checking = Pick<Context, "db" | "limits" | "now">;

/**
 * Loads the application of a client id and one of its active secrets; null when there is none, "disabled" when staff
 * disabled it. An unknown id and a wrong secret take the same path. Guesses are limited before the secret is checked;
 * valid credentials count against the application.
 */
export async function authenticateClient(
  ctx: Checking,
  credentials: { client_id: string; client_secret: string },
): Promise<OAuthClient | "disabled" | null> {
  const { client_id, client_secret } = credentials;
  await ctx.limits.beforeSecret(client_id);
  const candidates = isFaulty(client_id)
    ? []
    : await run(ctx.db.query, clientCandidates, [client_id, new Date(ctx.now)]);
  const sent = digest(client_secret);
  const [right] = (candidates.length > 0 ? candidates : [nobody]).filter((known) =>
    timingSafeEqual(known.digest, sent),
  );
  if (!right || candidates.length === 0) {
    await ctx.limits.wrongSecret(client_id);
    return null;
  }
  ctx.limits.rightSecret(client_id);
  return accepted(ctx, right);
}

/**
 * Loads the application of a secret alone, as the vendor's SDKs send it; null when there is none, "disabled" when staff
 * disabled it. Short secrets, which can be guessed, and those of several applications name none. Guesses are limited by
 * address.
 */
export async function authenticateSecret(ctx: Checking, secret: string): Promise<Client | "disabled" | null> {
  if (secret.length < MIN_SECRET_ALONE) return null;
  await ctx.limits.beforeSecret(NO_CLIENT);
  const [right, ...others] = await run(ctx.db.query, clientsOfSecret, [digest(secret), new Date(ctx.now)]);
  if (right && others.length === 0) return accepted(ctx, right);
  await ctx.limits.wrongSecret(NO_CLIENT);
  return null;
}

async function accepted(ctx: Checking, right: ClientCandidate): Promise<OAuthClient | "disabled"> {
  const client = clientOf(right, { isAuthenticated: true });
  await ctx.limits.application(client);
  await noteUse(ctx.db, right, ctx.now);
  return right.isDisabled ? "disabled" : client;
}

function clientOf(
  { id, plan, compatibilityMode, isPublic }: Omit<StoredClient, "isDisabled">,
  shown: { isAuthenticated: boolean },
) {
  return { id, plan, compatibilityMode, isPublic, ...shown };
}

/**
 * Authenticates like `authenticateClient`, for OAuth endpoints, or loads the public client that a request without a
 * secret names (RFC 6749 §3.2.1), and returns it with the body. Throws invalid_client, and invalid_request for a body
 * with errors: the missing secret is one, unless the client is public.
 */
export async function requireClient<T extends { client_id: string; client_secret: string }>(
  ctx: Checking,
  request: ClientRequest<T>,
): Promise<{ client: OAuthClient; body: T }> {
  const client =
    request.kind === "secret" ? await authenticateClient(ctx, request.body) : await publicClient(ctx, request);
  if (client === "disabled") throw oauthRefusal("invalid_client", "The application is disabled");
  if (!client) throw oauthRefusal("invalid_client", "Unknown client id or wrong client secret");
  return { client, body: request.kind === "secret" ? request.body : request.read() };
}

async function publicClient(
  ctx: Checking,
  { clientId, refusal }: Extract<ClientRequest<unknown>, { kind: "no_secret" }>,
): Promise<OAuthClient | "disabled"> {
  const select = { id: true, plan: true, compatibilityMode: true, disabledAt: true };
  const where = { clientId, publicClient: true };
  const found = isFaulty(clientId) ? null : await ctx.db.prisma.application.findFirst({ select, where });
  if (!found) throw refusal;
  const client = clientOf({ ...found, isPublic: true }, { isAuthenticated: false });
  await ctx.limits.publicClient(client);
  return found.disabledAt ? "disabled" : client;
}

async function noteUse(db: Database, { secretId, lastUsedAt }: ClientCandidate, now: number): Promise<void> {
  if (lastUsedAt && now - lastUsedAt.getTime() < LAST_USE_GRAIN_MS) return;
  await db.prisma.clientSecret.updateMany({ where: { id: secretId }, data: { lastUsedAt: new Date(now) } });
}
