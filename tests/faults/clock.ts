import { existsSync, readdirSync } from "node:fs";
import { openChannel } from "@/tests/rig/client";
import { seconds } from "@/tests/rig/durations";
import { inField } from "@/tests/rig/field";
import { type Post, startReceivers } from "@/tests/rig/receivers";
import type { Row } from "@/tests/rig/results";
import { until } from "@/tests/rig/until";

const CHANNELS = 10;
const MINUTES = [10, -10];
/** The first wait of "Events", 5, with its addition of up to a tenth, and two seconds. */
const EARLIEST_MS = 15_000;
const LATEST_MS = 16_500 + 2_000;
const FIRST_LIMIT_MS = 15_000;
const SIGNED_WITHIN_MS = 2_000;
const PATIENCE_MS = 60_000;

/** The service's own clock is ten minutes wrong; the database's is right. */
export async function clock(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const minutes of MINUTES) rows.push(...(await wrongBy(minutes)));
  return rows;
}

async function wrongBy(minutes: number): Promise<Row[]> {
  const receivers = await startReceivers(1, { status: ({ attempt }) => (attempt === 1 ? 500 : 200) });
  const { posts, urls } = receivers;
  try {
    return await inField(receivers, async (field) => {
      const origin = await (await field.launch(shifted(minutes))).ready();
      const opened = new Map<string, number>();
      for (let i = 0; i < CHANNELS; i++) {
        const before = Date.now();
        opened.set(await openChannel(origin, field.account, urls[0] ?? ""), before);
      }
      const attempts = (number: number) => posts.filter(({ attempt }) => attempt === number);
      const all = (number: number) =>
        until(() => attempts(number).length >= CHANNELS, {
          within: PATIENCE_MS,
          what: `every attempt ${number} with the clock ${minutes} minutes wrong`,
        });
      await all(1);
      await all(2);
      const first = attempts(1).map(({ channelId, at }) => at - (opened.get(channelId) ?? 0));
      return rowsOf(minutes, { first, waits: waitsOf(posts), posts });
    });
  } finally {
    await receivers.close();
  }
}

function shifted(minutes: number): Record<string, string> {
  const library = readdirSync("/usr/lib")
    .map((folder) => `/usr/lib/${folder}/faketime/libfaketime.so.1`)
    .find((file) => existsSync(file));
  if (!library) throw new Error("libfaketime is not installed (Debian: faketime)");
  return {
    LD_PRELOAD: library,
    FAKETIME: `${minutes > 0 ? "+" : ""}${minutes}m`,
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    NO_FAKE_STAT: "1",
  };
}

/** From the answer to each first attempt to its second. */
function waitsOf(posts: readonly Post[]): number[] {
  return posts
    .filter(({ attempt }) => attempt === 2)
    .map(({ id, at }) => at - (posts.find((one) => one.id === id && one.attempt === 1)?.answeredAt ?? Number.NaN));
}

function rowsOf(
  minutes: number,
  { first, waits, posts }: { first: readonly number[]; waits: readonly number[]; posts: readonly Post[] },
): Row[] {
  const name = `clock ${minutes > 0 ? "+" : "−"}${Math.abs(minutes)} min`;
  const [longest, earliest, latest] = [Math.max(...first), Math.min(...waits), Math.max(...waits)];
  const offsets = posts.map(({ signedAt, at }) => signedAt - at - minutes * 60_000);
  const off = Math.max(...offsets.map(Math.abs));
  return [
    {
      what: `${name}: longest time to the first attempt`,
      measured: seconds(longest),
      limit: seconds(FIRST_LIMIT_MS),
      ok: longest <= FIRST_LIMIT_MS,
    },
    {
      what: `${name}: from the first attempt's end to the second`,
      measured: `${seconds(earliest)} to ${seconds(latest)}`,
      limit: `${seconds(EARLIEST_MS)} to ${seconds(LATEST_MS)}`,
      ok: earliest >= EARLIEST_MS && latest <= LATEST_MS,
    },
    {
      what: `${name}: t of Svc-Signature from the service's own clock`,
      measured: seconds(off),
      limit: seconds(SIGNED_WITHIN_MS),
      ok: off <= SIGNED_WITHIN_MS,
    },
  ];
}
