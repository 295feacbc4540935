import { beforeEach, expect, it } from "vitest";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import { setPendingLink, storedCode } from "../../fakes/stored-grants";
import { connectAccount, connectedWithTokens, exchange, issueCode } from "../grants";
import { ownDatabase } from "../own-database";
import { type Application, newApplication } from "../service";
import { storedRows } from "../stored-rows";
import { type RunningJobs, runJobs } from "./run-jobs";

const HOUR = 3_600_000;
const CODE_LIFE = 600_000;

let clock: FakeClock;
let jobs: RunningJobs;

ownDatabase(() => ({ LOG_LEVEL: "fatal" }));
beforeEach(async () => {
  clock = fakeClock(clock?.now()); // one test after another
  jobs = await runJobs();
});

async function pass(hours: number) {
  clock.advance(hours * HOUR);
  await jobs.settle();
}

/** An account as the connect page makes it, whose code nobody has come for yet. */
async function connectUnexchanged(application: Application) {
  const account = await connectAccount(application);
  return { ...account, code: await issueCode(application, account) };
}

async function stateOf(application: Application) {
  const { profiles, calendars, codes, accounts } = await storedRows(application);
  const revoked = accounts?.map((account) => JSON.parse(account).revoked_at !== null);
  return { revoked, profiles: profiles?.length, calendars: calendars?.length, codes: codes?.length };
}

it("revokes an account a day after its code ended unexchanged, and forgets the credential", async () => {
  const application = await newApplication();
  await connectUnexchanged(application);
  await pass(24);
  expect(await stateOf(application)).toEqual({ revoked: [false], profiles: 1, calendars: 2, codes: 1 });
  await pass(2);
  expect(await stateOf(application)).toEqual({ revoked: [true], profiles: 0, calendars: 0, codes: 0 });
});

it("revokes one whose nightly chores came first, and dropped what else had expired", async () => {
  const application = await newApplication();
  await connectUnexchanged(application);
  await pass(72); // both were due while nothing ran
  await pass(1);
  expect((await stateOf(application)).revoked).toEqual([true]);
});

it("counts from the last code of several", async () => {
  const application = await newApplication();
  const account = await connectUnexchanged(application);
  await pass(20);
  await issueCode(application, account);
  await pass(20);
  expect((await stateOf(application)).revoked).toEqual([false]);
  await pass(6);
  expect((await stateOf(application)).revoked).toEqual([true]);
});

it("keeps an account whose code was exchanged, for good", async () => {
  const application = await newApplication();
  const { code } = await connectUnexchanged(application);
  expect((await exchange(application, code)).status).toBe(200);
  await pass(26);
  await pass(30 * 24);
  expect(await stateOf(application)).toMatchObject({ revoked: [false], profiles: 1 });
});

it("keeps an account that was only connected again without an exchange", async () => {
  const application = await newApplication();
  const account = await connectedWithTokens(application);
  await issueCode(application, account);
  await pass(26);
  expect(await stateOf(application)).toMatchObject({ revoked: [false], profiles: 1 });
});

it("forgets what a link token's calendar account was to join with once the code has ended, and keeps the account", async () => {
  const application = await newApplication();
  const account = await connectedWithTokens(application);
  const code = await issueCode(application, account);
  await setPendingLink(code, "sealed");
  clock.advance(CODE_LIFE - 1);
  await jobs.settle();
  await pass(1);
  expect(await storedCode(code)).toMatchObject({ pending: null });
  await pass(26);
  expect((await stateOf(application)).revoked).toEqual([false]);
});
