import type { Prisma } from "@/server/db/generated/client";
import { seal, unseal } from "@/server/db/sealed";
import { quotaOf } from "@/server/domain/provider-quotas";
import type { Provider } from "@/server/domain/providers";
import type { OAuthClient } from "@/server/providers/connector";
import type { ClientInUse } from "@/server/store/applications/oauth-clients.sql";

/** An application's own OAuth client at a provider. */
export interface OwnClient extends OAuthClient {
  id: string;
}

interface Asked {
  applicationId: string;
  provider: Provider;
}

/** Loads the client by which users of an application sign in at a provider. Null: by that of the installation. */
export async function currentClient(
  prisma: Prisma.TransactionClient,
  { applicationId, provider }: Asked,
): Promise<OwnClient | null> {
  const registeredAt = quotaOf(provider);
  if (registeredAt === null) return null;
  const where = { applicationId, provider: registeredAt, replacedAt: null };
  const row = await prisma.oauthClient.findFirst({ where });
  return row && clientOf(row);
}

/** Loads a client, also one that was replaced. Null: its application was deleted. */
export async function findClient(prisma: Prisma.TransactionClient, id: string): Promise<OwnClient | null> {
  const row = await prisma.oauthClient.findUnique({ where: { id } });
  return row && clientOf(row);
}

/** Seals the secret of a client for its row. */
export function sealClientSecret(id: string, secret: string): string {
  return seal(secret, sealedSecret(id));
}

/** Opens the secret of a client. Throws if no key of this process does. */
export function clientOf({ id, clientId, sealed }: Pick<ClientInUse, "id" | "clientId" | "sealed">): OwnClient {
  return { id, clientId, clientSecret: unseal(sealed, sealedSecret(id)) };
}

const sealedSecret = (row: string) => ({ table: "oauth_clients", column: "sealed", row });
