import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import { seal, unseal } from "@/server/db/sealed";
import { microsoftConnector } from "@/server/providers/microsoft/connector";
import { sealedCredential } from "@/server/store/profiles/provider-tokens";
import { ownDatabase } from "../api/own-database";
import { bundledProgram } from "../fakes/bundled-program";
import { startMicrosoft } from "../fakes/microsoft/microsoft";
import { startOAuthCalendars } from "../fakes/oauth-calendars";
import { oauthConnector } from "../fakes/oauth-connector";
import { seedAccount, seedApplication } from "../rig/seed";

// Vite puts its own BASE_URL into the environment of every test.
ownDatabase(() => ({ BASE_URL: "http://api.almanac.localhost" }));

const root = fileURLToPath(new URL("../..", import.meta.url));
const NEEDS = 20;

/** Needs of one process. `connector` makes one of what `imports` brings and of the environment. */
const program = (imports: string, connector: string) => `
import { connect } from "@/server/db/client";
import { mailboxAccess } from "@/server/store/profiles/mailbox-access";
${imports}
const db = connect(process.env.DATABASE_URL);
const [claimed] = await db.query('SELECT id AS "profileId", connection, credential AS "sealedCredential", oauth_client_id AS "ownClient" FROM profiles WHERE id = $1', [process.env.PROFILE]);
const access = mailboxAccess(db, ${connector}, claimed);
const tokens = await Promise.all(Array.from({ length: ${NEEDS} }, () => access.accessToken()));
console.log(JSON.stringify(tokens));
await db.close();
`;

/** What each need of one process got. */
async function needs(code: string, env: Record<string, string>): Promise<string[]> {
  const child = spawn(process.execPath, ["--input-type=module", "-"], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(code);
  return JSON.parse(await text(child.stdout));
}

async function storeProfile(profile: string, provider: "google" | "microsoft", credential: string): Promise<void> {
  const { accountId } = await seedAccount(db(), await seedApplication(db()));
  await db().query(
    `INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, credential)
SELECT $1, id, application_id, $4::provider, 'google', $1, $1, $3 FROM accounts WHERE id = $2`,
    [profile, accountId, seal(credential, sealedCredential(profile)), provider],
  );
}

async function storedCredential(profile: string): Promise<string> {
  const [row] = await db().query<{ credential: string }>("SELECT credential FROM profiles WHERE id = $1", [profile]);
  return unseal(row?.credential ?? "", sealedCredential(profile));
}

/** The access tokens have expired, and both processes need one: the one that all of them get. */
async function neededInBoth(code: string, env: Record<string, string>): Promise<string> {
  await db().query("UPDATE provider_tokens SET expires_at = to_timestamp(0)");
  const tokens = (await Promise.all([needs(code, env), needs(code, env)])).flat();
  expect(tokens).toHaveLength(2 * NEEDS);
  const [token, ...others] = new Set(tokens);
  expect(others).toEqual([]);
  return token ?? "";
}

it(`${NEEDS} needs in each of two processes make one refresh, round after round, and never lose a grant that is good once`, async () => {
  const provider = await startOAuthCalendars();
  onTestFinished(() => provider.close());
  provider.refreshMs = 300;
  const { signIn } = oauthConnector(provider.url);
  const { url, secret } = signIn.begin({ redirectUri: "http://127.0.0.1/", state: "" });
  const back = new URL((await fetch(url, { redirect: "manual" })).headers.get("location") ?? "");
  const signedIn = await signIn.finish({ redirectUri: "http://127.0.0.1/", query: back.searchParams, secret });
  if ("problem" in signedIn) throw new Error(signedIn.problem);
  const profile = "pro_refreshed_once";
  await storeProfile(profile, "google", signedIn.credential);
  const imports = 'import { oauthConnector } from "@/tests/fakes/oauth-connector";';
  const code = bundledProgram(program(imports, "oauthConnector(process.env.PROVIDER)"));
  for (let round = 1; round <= 3; round += 1) {
    await neededInBoth(code, { PROFILE: profile, PROVIDER: provider.url });
    expect(provider.refreshes).toEqual({ done: round, refused: 0 });
  }
  const kept = await signIn.refresh(await storedCredential(profile));
  expect(kept.credential).not.toBe("");
});

it(`${NEEDS} needs in each of two processes never use a refresh token of Microsoft's twice, which would end the grant`, async () => {
  const fake = await startMicrosoft({ knobs: { refreshGrace: 0, reuseEndsFamily: true } });
  onTestFinished(() => fake.close());
  const { id: clientId, secret: clientSecret } = fake.client;
  const options = { clientId, clientSecret, provider: "microsoft", origin: fake.origin } as const;
  const profile = "pro_rotated_once";
  const first = fake.refreshToken("ada@example.com");
  await storeProfile(profile, "microsoft", first);
  const imports = 'import { microsoftConnector } from "@/server/providers/microsoft/connector";';
  const code = bundledProgram(program(imports, "microsoftConnector(JSON.parse(process.env.OPTIONS))"));
  const rounds: string[] = [];
  for (let round = 1; round <= 3; round += 1) {
    fake.faults.next({ path: /\/token$/, delay: 300 });
    rounds.push(await neededInBoth(code, { PROFILE: profile, OPTIONS: JSON.stringify(options) }));
    const refreshes = fake.requests.filter(({ path }) => path.endsWith("/token"));
    expect(refreshes.map(({ status }) => status)).toEqual(Array(round).fill(200));
  }
  expect(new Set(rounds).size).toBe(3);
  const { signIn } = microsoftConnector(options);
  const kept = await storedCredential(profile);
  expect(await signIn.refresh(kept)).toMatchObject({ token: { text: expect.any(String) } });
  // What any second use would have done: the grant is over.
  await expect(signIn.refresh(first)).rejects.toMatchObject({ fault: { kind: "credentials_rejected" } });
  await expect(signIn.refresh(kept)).rejects.toMatchObject({ fault: { kind: "credentials_rejected" } });
});
