import { beforeEach, expect, it, vi } from "vitest";
import { db } from "@/server/db/client";
import { unseal } from "@/server/db/sealed";
import { forgetBudgets, readBudgetFigures } from "@/server/store/mailboxes/provider-budgets";
import { sealedCredential } from "@/server/store/profiles/provider-tokens";
import { type FakeClock, fakeClock } from "../fakes/clock";
import { addMailboxes, setSyncDueNow, storedProfile } from "../fakes/stored";
import { fileEnvironment } from "./file-environment";
import { connectGooglePerson, type Google, google } from "./google-person";
import { ADA, asked } from "./google-scene";
import { ours } from "./world";

/** 60 requests at once, and 9 a second. */
const PER_MINUTE = 600;
const [BURST, PER_SECOND] = [60, 9];

fileEnvironment(() => ({ LOG_LEVEL: "error", GOOGLE_REQUESTS_PER_MINUTE: `${PER_MINUTE}` }));

let clock: FakeClock;
beforeEach(async () => {
  clock = fakeClock();
  await db().prisma.providerBudget.deleteMany();
  await db().prisma.providerPause.deleteMany();
  // The mailboxes of the test before this one would use the budget.
  await db().prisma.profile.updateMany({ data: { connected: false } });
  forgetBudgets();
});

type Person = Awaited<ReturnType<typeof connectGooglePerson>>;

/** Gives the person's application more mailboxes of the same account, which are due since so many seconds. */
async function add(
  { profileId }: Person,
  { count, sinceS, isFirst = false }: { count: number; sinceS: number; isFirst?: boolean },
) {
  const { credential } = await storedProfile(profileId);
  const plain = unseal(credential ?? "", sealedCredential(profileId));
  const syncDueAt = new Date(clock.now() - sinceS * 1_000);
  return await addMailboxes(profileId, { count, credential: plain, syncDueAt, initialSyncRequired: isFirst });
}

const stored = async (ids: string[]) => await db().prisma.profileSync.findMany({ where: { profileId: { in: ids } } });
const read = async (ids: string[]) => (await stored(ids)).filter(({ lastSyncAt }) => lastSyncAt !== null).length;

/** Time passes, at four times its pace, until something holds. Returns the requests and how many would have come in. */
async function passUntil(provider: Google, { syncing }: Pick<Person, "syncing">, holds: () => Promise<boolean>) {
  const since = clock.now();
  provider.requests.length = 0;
  const ticking = setInterval(() => clock.advance(200), 50);
  try {
    await vi.waitFor(
      async () => {
        await syncing.drain(500);
        if (!(await holds())) throw new Error("not yet");
      },
      { timeout: 60_000, interval: 100 },
    );
  } finally {
    clearInterval(ticking);
  }
  return { requests: asked(provider).length, allowance: ((clock.now() - since) / 1_000) * PER_SECOND };
}

it("an application with 5 mailboxes is served at once beside one with 500 that have waited longer, within the quota", async () => {
  const provider = await google();
  const [large, small] = [await connectGooglePerson(provider), await connectGooglePerson(provider)];
  await large.sync();
  await small.sync();
  clock.advance(10_000);
  const [many, few] = [await add(large, { count: 500, sinceS: 600 }), await add(small, { count: 5, sinceS: 1 })];
  const { requests, allowance } = await passUntil(provider, large, async () => (await read(few)) === 5);
  expect(await read(many)).toBeGreaterThan(0);
  expect(await read(many)).toBeLessThan(250);
  expect(requests).toBeLessThanOrEqual(2 * BURST + allowance);
  const [google_] = await readBudgetFigures();
  expect(google_).toMatchObject({ quota: "google", limit: PER_MINUTE, allowed: PER_MINUTE });
  for (const { syncFailures, syncError } of await stored(few)) expect([syncFailures, syncError]).toEqual([0, null]);
});

it("Google's refusal of the whole project halves the rate, stops no mailbox and counts as no failure", async () => {
  const provider = await google();
  const person = await connectGooglePerson(provider);
  await person.sync();
  clock.advance(10_000);
  const ids = await add(person, { count: 100, sinceS: 60 });
  provider.faults.next({ path: /calendarList/, respond: "projectQuotaExceeded", times: 3 });
  await passUntil(provider, person, async () => provider.faults.left() === 0);
  const [cut] = await readBudgetFigures();
  expect(cut?.allowed).toBeLessThan(PER_MINUTE);
  expect(await db().prisma.providerPause.count()).toBe(0);
  const before = await read(ids);
  await passUntil(provider, person, async () => (await read(ids)) > before + 5);
  for (const { syncFailures, syncError } of (await stored(ids)).filter(({ syncLease }) => syncLease === null))
    expect([syncFailures, syncError]).toEqual([0, null]);
  clock.advance(600_000);
  const [recovered] = await readBudgetFigures();
  expect(recovered?.allowed).toBe(PER_MINUTE);
});

it("a write that the whole project's quota refuses is no attempt, and is sent when there is budget again", async () => {
  const provider = await google();
  const person = await connectGooglePerson(provider);
  await person.sync();
  clock.advance(10_000);
  await person.post(`/v1/calendars/${await person.calendarId(ADA)}/events`, ours("review"));
  provider.faults.next({ method: "POST", path: /events$/, respond: "projectQuotaExceeded", retryAfter: 30 });
  await person.pushing.drain(60_000);
  const write = await db().prisma.providerWrite.findFirstOrThrow({ where: { profileId: person.profileId } });
  expect(write).toMatchObject({ attempts: 0, lastError: null, lease: null });
  clock.advance(29_000);
  provider.requests.length = 0;
  await person.pushing.drain(60_000);
  expect(asked(provider)).toEqual([]);
  clock.advance(3_000);
  await person.pushing.drain(60_000);
  expect(provider.account(ADA).primary.events()).toHaveLength(1);
});

it("work that waits for the budget is looked for again when there is some, and not before", async () => {
  const provider = await google();
  const person = await connectGooglePerson(provider);
  await person.sync();
  await db().prisma.providerBudget.updateMany({ data: { level: -PER_SECOND * 20, at: new Date(clock.now()) } });
  forgetBudgets();
  await setSyncDueNow(person.profileId);
  const waits: number[] = [];
  const { syncing } = person.loops({ onIdle: (ms) => waits.push(ms) });
  provider.requests.length = 0;
  await syncing.drain(60_000);
  expect(asked(provider)).toEqual([]);
  expect(waits).toEqual([expect.closeTo(20_250, -3)]);
});
