import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import { seal, unseal } from "@/server/db/sealed";
import { sealedCredential } from "@/server/store/profiles/provider-tokens";
import { ownDatabase } from "../api/own-database";
import { seedAccount } from "../bench/seed";
import { bundledProgram } from "../fakes/bundled-program";
import { startOAuthCalendars } from "../fakes/oauth-calendars";
import { oauthConnector } from "../fakes/oauth-connector";
import { seedApplication } from "../faults/seed";

// Vite puts its own BASE_URL into the environment of every test.
ownDatabase(() => ({ BASE_URL: "http://api.almanac.localhost" }));

const root = fileURLToPath(new URL("../..", import.meta.url));
const NEEDS = 20;

const program = `
import { connect } from "@/server/db/client";
import { mailboxAccess } from "@/server/sync/mailbox-access";
import { oauthConnector } from "@/tests/fakes/oauth-connector";
const db = connect(process.env.DATABASE_URL);
const [claimed] = await db.query('SELECT id AS "profileId", connection, credential AS "sealedCredential" FROM profiles WHERE id = $1', [process.env.PROFILE]);
const access = mailboxAccess(db, oauthConnector(process.env.PROVIDER), claimed);
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

it(`${NEEDS} needs in each of two processes make one refresh, round after round, and never lose a grant that is good once`, async () => {
  const provider = await startOAuthCalendars();
  onTestFinished(() => provider.close());
  provider.refreshMs = 300;
  const { signIn } = oauthConnector(provider.url);
  const { url, secret } = signIn.begin({ redirectUri: "http://127.0.0.1/", state: "" });
  const back = new URL((await fetch(url, { redirect: "manual" })).headers.get("location") ?? "");
  const signedIn = await signIn.finish({ redirectUri: "http://127.0.0.1/", query: back.searchParams, secret });
  if ("problem" in signedIn) throw new Error(signedIn.problem);
  const { accountId } = await seedAccount(db(), await seedApplication(db()));
  const profile = "pro_refreshed_once";
  await db().query(
    `INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, credential)
SELECT $1, id, application_id, 'google', 'google', $1, $1, $3 FROM accounts WHERE id = $2`,
    [profile, accountId, seal(signedIn.credential, sealedCredential(profile))],
  );
  const code = bundledProgram(program, "external");
  const env = { PROFILE: profile, PROVIDER: provider.url };
  for (let round = 1; round <= 3; round += 1) {
    await db().query("UPDATE provider_tokens SET expires_at = to_timestamp(0)");
    const tokens = (await Promise.all([needs(code, env), needs(code, env)])).flat();
    expect(tokens).toHaveLength(2 * NEEDS);
    expect(new Set(tokens).size).toBe(1);
    expect(provider.refreshes).toEqual({ done: round, refused: 0 });
  }
  const [row] = await db().query<{ credential: string }>("SELECT credential FROM profiles WHERE id = $1", [profile]);
  const kept = await signIn.refresh(unseal(row?.credential ?? "", sealedCredential(profile)));
  expect(kept.credential).not.toBe("");
});
