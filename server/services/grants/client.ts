import { timingSafeEqual } from "node:crypto";
import type { Database } from "@/server/db/client";
import { digest } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import { isFaulty } from "@/server/domain/text";
import { type ClientCandidate, clientCandidates } from "@/server/services/grants/client.sql";
import { oauthRefusal } from "@/server/services/refusal";
import type { Context } from "@/server/services/trpc";

const LAST_USE_GRAIN_MS = 60 * 60 * 1000;
const nobody = {
  id: "",
  plan: "standard" as const,
  compatibilityMode: false,
  isDisabled: false,
  secretId: "",
  digest: Buffer.alloc(32),
  lastUsedAt: null,
};

export interface Client {
  id: string;
  plan: "developer" | "standard";
  compatibilityMode: boolean;
}

/**
 * Loads the application of a client id and one of its active secrets; null when there is none, "disabled" when staff
 * disabled it. An unknown id and a wrong secret take the same path. Guesses are limited before the secret is checked;
 * valid credentials count against the application.
 */
export async function authenticateClient(
  ctx: Pick<Context, "db" | "limits" | "now">,
  credentials: { client_id: string; client_secret: string },
): Promise<Client | "disabled" | null> {
  const { client_id, client_secret } = credentials;
  await ctx.limits.beforeSecret(client_id);
  const candidates = isFaulty(client_id) ? [] : await run(ctx.db.query, clientCandidates, [client_id]);
  const sent = digest(client_secret);
  const [right] = (candidates.length > 0 ? candidates : [nobody]).filter((known) =>
    timingSafeEqual(known.digest, sent),
  );
  if (!right || candidates.length === 0) {
    await ctx.limits.wrongSecret(client_id);
    return null;
  }
  ctx.limits.rightSecret(client_id);
  const client = { id: right.id, plan: right.plan, compatibilityMode: right.compatibilityMode };
  await ctx.limits.application(client);
  await noteUse(ctx.db, right, ctx.now);
  return right.isDisabled ? "disabled" : client;
}

/** Authenticates like `authenticateClient`, for OAuth endpoints. Throws invalid_client. */
export async function requireClient(
  ctx: Pick<Context, "db" | "limits" | "now">,
  credentials: { client_id: string; client_secret: string },
): Promise<Client> {
  const client = await authenticateClient(ctx, credentials);
  if (client === "disabled") throw oauthRefusal("invalid_client", "The application is disabled");
  if (!client) throw oauthRefusal("invalid_client", "Unknown client id or wrong client secret");
  return client;
}

async function noteUse(db: Database, { secretId, lastUsedAt }: ClientCandidate, now: number): Promise<void> {
  if (lastUsedAt && now - lastUsedAt.getTime() < LAST_USE_GRAIN_MS) return;
  await db.prisma.clientSecret.updateMany({ where: { id: secretId }, data: { lastUsedAt: new Date(now) } });
}
