import { randomBytes } from "node:crypto";
import { hashPassword } from "@/server/auth/password";
import { clock } from "@/server/clock";
import { type Database, db } from "@/server/db/client";
import { newId, newToken } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import { DEMO_REDIRECT_URI } from "@/server/domain/redirect-uri";
import type { Env } from "@/server/env";
import { log } from "@/server/log";
import { checkPassword } from "@/server/services/password-rule";
import { deletedClientIds } from "@/server/store/applications/applications.sql";
import { registerApplication } from "@/server/store/applications/register";

const FIRST_OPERATOR = "operator@almanac.localhost";
const PASSWORD_BYTES = 12;

/** Generated credentials that can be read nowhere else: shown once. */
export interface BootstrapResult {
  demo?: { clientId: string; clientSecret: string; redirectUri: string };
  /** The password is null when the configuration provided it. */
  operator?: { email: string; password: string | null };
  /** Nobody could sign in, and the configuration names no operator. */
  needsOperator?: boolean;
}

/**
 * Registers the configured applications, except those that staff deleted (ADR 67), and the configured first operator
 * where there is none. A new embedded database gets a demo application and an operator; on a server nothing with a
 * secret is created unasked. Refuses a weak ADMIN_PASSWORD.
 */
export async function bootstrap(env: Env, { isEmbedded }: { isEmbedded: boolean }): Promise<BootstrapResult> {
  const database = db();
  for (const application of await omitDeleted(database, env.BOOTSTRAP_APPLICATIONS)) {
    await registerApplication(
      database,
      {
        name: application.name,
        clientId: application.client_id,
        clientSecret: application.client_secret ?? null,
        redirectUris: application.redirect_uris,
        compatibilityMode: application.compatibility_mode,
        plan: application.plan,
        editForeignEvents: application.edit_foreign_events,
        mcpWrites: application.mcp_writes,
        publicClient: application.public_client,
        connectSuccessPage: application.connect_success_page,
      },
      clock().now(),
    );
  }
  const demo = isEmbedded ? await demoApplication(database) : {};
  return { ...demo, ...(await firstOperator(database, env, isEmbedded)) };
}

async function omitDeleted(database: Database, all: Env["BOOTSTRAP_APPLICATIONS"]) {
  const deleted = await run(database.query, deletedClientIds, [all.map(({ client_id }) => client_id)]);
  for (const { clientId, deletedAt } of deleted) {
    log({ module: "bootstrap" }).warn(
      { clientId, deletedAt },
      "this application of BOOTSTRAP_APPLICATIONS was deleted, so it is not registered: remove it there, or give it another client_id",
    );
  }
  return all.filter(({ client_id }) => deleted.every(({ clientId }) => clientId !== client_id));
}

async function demoApplication(database: Database): Promise<BootstrapResult> {
  const { application, deletedClientId } = database.prisma;
  if ((await application.count()) > 0 || (await deletedClientId.count()) > 0) return {};
  const demo = { clientId: newId("app").replace("app_", "demo_"), clientSecret: newToken() };
  await registerApplication(
    database,
    { name: "Demo", ...demo, redirectUris: [DEMO_REDIRECT_URI], compatibilityMode: false, plan: "developer" },
    clock().now(),
  );
  return { demo: { ...demo, redirectUri: DEMO_REDIRECT_URI } };
}

async function firstOperator(
  { prisma }: Database,
  { ADMIN_EMAIL, ADMIN_PASSWORD }: Env,
  isEmbedded: boolean,
): Promise<BootstrapResult> {
  if ((await prisma.operator.count()) > 0) return {};
  if (!isEmbedded && (ADMIN_EMAIL === undefined || ADMIN_PASSWORD === undefined)) return { needsOperator: true };
  const email = (ADMIN_EMAIL ?? FIRST_OPERATOR).toLowerCase();
  if (ADMIN_PASSWORD) await checkPassword(ADMIN_PASSWORD, { email, path: "ADMIN_PASSWORD" });
  const password = ADMIN_PASSWORD ?? randomBytes(PASSWORD_BYTES).toString("base64url");
  await prisma.operator.create({
    data: {
      id: newId("opr"),
      email,
      name: "First operator",
      role: "admin",
      passwordHash: await hashPassword(password, { key: "", isKnown: true }),
    },
  });
  return { operator: { email, password: ADMIN_PASSWORD ? null : password } };
}
