import { db } from "@/server/db/client";
import { digest } from "@/server/db/sealed";

/** The account's access tokens never expire. */
export async function keepAccessTokens(accountId: string): Promise<void> {
  const expiresAt = new Date("9999-01-01T00:00:00Z");
  await db().prisma.accessToken.updateMany({ where: { grant: { accountId } }, data: { expiresAt } });
}

/** The code's calendar account joins its account when the code is exchanged. */
export async function setPendingLink(code: string, pending: string): Promise<void> {
  await db().prisma.code.updateMany({ where: { hash: digest(code) }, data: { pending, profileId: null } });
}

export async function storedCode(code: string) {
  return await db().prisma.code.findUniqueOrThrow({ where: { hash: digest(code) } });
}

export async function dropCodes(accountId: string): Promise<void> {
  await db().prisma.code.deleteMany({ where: { accountId } });
}

export async function retireSecret(secret: string): Promise<void> {
  await db().prisma.clientSecret.updateMany({ where: { digest: digest(secret) }, data: { retiredAt: new Date() } });
}

/** The application has no addresses left to return to. */
export async function dropRedirectUris(applicationId: string): Promise<void> {
  await db().prisma.redirectUri.deleteMany({ where: { applicationId } });
}

export async function addRedirectUri(applicationId: string, uri: string, createdAt = new Date()): Promise<void> {
  await db().prisma.redirectUri.create({ data: { applicationId, uri, createdAt } });
}

/** The account's one grant with its access tokens. */
export async function storedGrant(accountId: string) {
  return await db().prisma.grant.findFirstOrThrow({ where: { accountId }, include: { accessTokens: true } });
}
