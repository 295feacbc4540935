import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { newId, newToken } from "@/server/db/new-id";
import { type ApplicationKey, type CastApplication, castApplications } from "@/server/demo/cast/applications";
import type { Installation } from "@/server/demo/installation";
import { clientIdOf } from "@/server/demo/marks";
import { DAY_MS } from "@/server/demo/month/time";
import { staffContext } from "@/server/demo/staff-context";
import { audit } from "@/server/services/staff/audit/audit";
import { registerWithin } from "@/server/store/applications/register";

export interface RegisteredApplication {
  id: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

export type RegisteredApplications = Readonly<Record<ApplicationKey, RegisteredApplication>>;

const LOGO_HASH_LENGTH = 32;

/** Registers the demo's applications with their branding and CalDAV servers. */
export async function registerApplications(
  installation: Installation,
  root: string,
  now: number,
): Promise<RegisteredApplications> {
  const registered: Partial<Record<ApplicationKey, RegisteredApplication>> = {};
  for (const application of castApplications)
    registered[application.key] = await register(installation, application, now);
  for (const application of castApplications) {
    const { id } = registered[application.key] ?? {};
    if (id) await setBranding(installation, { ...application, id, root });
  }
  return registered as RegisteredApplications;
}

async function register(installation: Installation, application: CastApplication, now: number) {
  const { key, name, plan, site } = application;
  const redirectUri = `https://app.${site}/calendar/connected`;
  const made = { clientId: clientIdOf(key), clientSecret: newToken() };
  const { db } = installation;
  const id = await db.transaction(async (query, prisma) => {
    const registration = { ...made, name, plan, redirectUris: [redirectUri], compatibilityMode: false };
    const object = await registerWithin({ query, prisma }, registration, now);
    const detail = { name, plan, clientId: made.clientId };
    await audit(prisma, staffContext(installation, now), { action: "application.created", object, detail });
    return object;
  });
  const createdAt = new Date(now - application.age * DAY_MS);
  await db.prisma.application.update({
    select: { id: true },
    where: { id },
    data: { createdAt, updatedAt: createdAt },
  });
  return { ...made, id, redirectUri };
}

type BrandingInput = CastApplication & { id: string; root: string };

async function setBranding(
  { db: { prisma } }: Installation,
  { id, root, site, accent, logo: file, caldav }: BrandingInput,
): Promise<void> {
  if (accent) {
    const logo = file && new Uint8Array(await readFile(join(root, "server", "demo", "cast", file)));
    const logoHash = logo && createHash("sha256").update(logo).digest("hex").slice(0, LOGO_HASH_LENGTH);
    const links = { supportUrl: `https://${site}/help`, privacyUrl: `https://${site}/privacy` };
    await prisma.applicationBranding.create({
      data: { applicationId: id, accent, logo: logo || null, logoHash: logoHash || null, ...links },
    });
  }
  if (caldav) await prisma.caldavServer.create({ data: { id: newId("cds"), applicationId: id, ...caldav } });
}
