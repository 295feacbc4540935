import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { type Provider, providerTraits } from "@/server/domain/providers";
import { claimWrites, nextWriteIn } from "@/server/sync/claim-writes";
import { type FakeClock, fakeClock } from "../fakes/clock";
import { openSlots } from "../fakes/open-slots";
import { ownDatabase } from "./own-database";

// Vite puts its own into the environment of every test.
ownDatabase(() => ({ BASE_URL: "http://api.almanac.localhost" }));

let clock: FakeClock;
beforeEach(() => {
  clock = fakeClock();
});

interface Waiting {
  profile: number;
  /** Seconds until it is due; negative: since when it is. */
  due: number;
  /** Seconds until its lease ends. */
  leased?: number;
  refused?: boolean;
  suspended?: boolean;
}

const DISCONNECTED = 9;
const providerOf = (profile: number): Provider =>
  (["google", "icloud", "icloud", "microsoft"] as const)[profile % 4] ?? "icloud";

/** Rows as they are in the table, without the events and accounts that they are of: its checks are off in the meantime. */
async function put(waiting: readonly Waiting[]): Promise<void> {
  const profiles = [...new Set(waiting.map(({ profile }) => profile))];
  await db().transaction(async (query) => {
    await query("SET LOCAL session_replication_role = replica");
    await query("DELETE FROM provider_writes");
    await query("DELETE FROM profiles");
    await query("DELETE FROM profile_syncs");
    await query(
      `INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, credential, connected)
SELECT 'p' || number, 'a', 'a', provider::provider, (enum_range(NULL::provider_service))[1], number, 'n', 'sealed', number <> $3
FROM unnest($1::int[], $2::text[]) AS one(number, provider)`,
      [profiles, profiles.map(providerOf), DISCONNECTED],
    );
    await query(
      `INSERT INTO profile_syncs (profile_id, application_id, provider, readable, first_sync)
SELECT id, application_id, provider, connected, false FROM profiles`,
    );
    await query(
      `INSERT INTO provider_writes (id, event_row, calendar_id, profile_id, account_id, due_at, leased_until, lease, refused_at, suspended)
SELECT place, 'e' || place, 'c', 'p' || profile, 'a', $6::timestamptz + make_interval(secs => due), $6 + make_interval(secs => leased),
  CASE WHEN leased IS NOT NULL THEN 'another' END, CASE WHEN refused THEN $6 END, suspended
FROM unnest($1::int[], $2::float8[], $3::float8[], $4::bool[], $5::bool[]) WITH ORDINALITY AS one(profile, due, leased, refused, suspended, place)`,
      [
        waiting.map(({ profile }) => profile),
        waiting.map(({ due }) => due),
        waiting.map(({ leased }) => leased ?? null),
        waiting.map(({ refused = false }) => refused),
        waiting.map(({ suspended = false }) => suspended),
        new Date(clock.now()),
      ],
    );
  });
}

const ids = (claimed: readonly { id: string }[]) => claimed.map(({ id }) => Number(id)).sort((a, b) => a - b);

function isFree({ due, leased = 0, refused, suspended, profile }: Waiting): boolean {
  return due <= 0 && leased <= 0 && !refused && !suspended && profile !== DISCONNECTED;
}

/** What is to be claimed, said the slow way: the rows by their numbers, from 1. */
function expected(waiting: readonly Waiting[], slots: readonly { provider: Provider; most: number }[]): number[] {
  const busy = (profile: number) => waiting.filter((one) => one.profile === profile && (one.leased ?? 0) > 0).length;
  const byDue = waiting
    .map((one, index) => ({ ...one, id: index + 1 }))
    .filter(isFree)
    .sort((one, other) => one.due - other.due);
  const allowed = byDue.filter(({ id, profile }) => {
    const before = byDue.filter((one) => one.profile === profile).findIndex((one) => one.id === id);
    return before < providerTraits[providerOf(profile)].requestsAtATime - 1 - busy(profile);
  });
  const taken = slots.flatMap(({ provider, most }) =>
    allowed
      .filter(({ profile }) => providerOf(profile) === provider)
      .slice(0, most)
      .map((one, round) => ({ ...one, round })),
  );
  taken.sort((one, other) => one.round - other.round || one.due - other.due);
  const most = Math.max(...slots.map((each) => each.most));
  return ids(taken.slice(0, most).map(({ id }) => ({ id: String(id) })));
}

describe.each([
  ["few", 12],
  ["many", 180],
])("writes of %s profiles", (_, profiles) => {
  const count = 700;
  /** Every time is another one; some are leased, refused, suspended or not due, and one profile has far more than the others. */
  const waiting = Array.from({ length: count }, (_, i): Waiting => {
    const late = (((i * 379) % count) - 600.5) * 60;
    const due = late > 0 ? late + 3600 : late;
    const profile = i % 4 === 0 ? 1 : (i * 31) % profiles;
    return {
      profile,
      due,
      leased: i % 23 === 0 ? (i % 2 ? 3600 : -3600) : undefined,
      refused: i % 29 === 0,
      suspended: i % 31 === 0,
    };
  });

  beforeEach(() => put(waiting));

  it.each([
    [[openSlots("icloud", 10)]],
    [[openSlots("icloud", 3), openSlots("google", 10)]],
    [[openSlots("microsoft", 10)]],
    [[openSlots("outlook", 10)]],
    [[openSlots("google", 20), openSlots("icloud", 20)]],
  ])(
    "are claimed the longest due first, as slots are free and no more of an account than its provider accepts: %j",
    async (slots) => {
      const claimed = await claimWrites(db(), slots);
      expect(ids(claimed)).toEqual(expected(waiting, slots));
    },
  );

  it("are all claimed in the end and each once, however many ask at the same time", async () => {
    const claimed: number[] = [];
    for (;;) {
      const slots = [openSlots("icloud", 10)];
      const some = (await Promise.all([claimWrites(db(), slots), claimWrites(db(), slots)])).flat();
      if (some.length === 0) break;
      claimed.push(...ids(some));
      await db().query("DELETE FROM provider_writes WHERE id = ANY ($1::bigint[])", [ids(some)]);
    }
    const all = waiting.flatMap((one, index) =>
      isFree(one) && providerOf(one.profile) === "icloud" ? [index + 1] : [],
    );
    expect(claimed.sort((a, b) => a - b)).toEqual(all);
  });
});

describe("the next write", () => {
  const nextIn = async () => ((await nextWriteIn(db(), ["icloud"])) ?? Number.NaN) / 1_000;

  it("is the first that is due of a connected profile at one of the providers, and neither refused nor suspended", async () => {
    await put([
      { profile: 0, due: 5 },
      { profile: DISCONNECTED, due: 6 },
      { profile: 1, due: 7, refused: true },
      { profile: 1, due: 8, suspended: true },
      { profile: 1, due: 40 },
      { profile: 2, due: 30 },
    ]);
    expect(await nextIn()).toBe(30);
  });

  it("is not due before its lease ends, though it was written again in the meantime", async () => {
    await put([
      { profile: 1, due: -5, leased: 20 },
      { profile: 1, due: 50, leased: 45 },
      { profile: 2, due: 60 },
    ]);
    expect(await nextIn()).toBe(20);
  });

  it("is none where none waits", async () => {
    await put([{ profile: 0, due: 5 }]);
    expect(await nextWriteIn(db(), ["icloud"])).toBe(null);
  });
});
