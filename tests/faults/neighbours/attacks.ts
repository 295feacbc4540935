import { beginAssault } from "@/tests/faults/neighbours/assault";
import { eventText } from "@/tests/faults/neighbours/mailboxes";
import type { Stage } from "@/tests/faults/neighbours/stage";
import {
  connectMailbox,
  eventBody,
  hostedCalendar,
  many,
  openChannel,
  readPage,
  write,
} from "@/tests/faults/neighbours/tenants";

/** An attack, played by the hostile application or by a stranger. */
export interface Attack {
  name: string;
  /** What of the other tenant it is measured by. */
  felt: "requests" | "large writes" | "notifications" | "sign-ins";
  /** It is meant to fill the memory. */
  fills?: true;
  /** Lays out what it needs, before anything is measured; gives what begins it, which gives what ends it. */
  prepare(stage: Stage): Promise<() => Promise<() => Promise<void>>>;
}

const LINK = `https://x.y/${")".repeat(49_000)}x`;
const DAYS = 730;

/** As long as the attack is looked at, and twice over. */
const READ_FIRST_MS = 20_000;

export const attacks: Attack[] = [
  {
    name: "A1: one long address in a description, written and as an invitation",
    felt: "requests",
    prepare: async ({ hostile, mailboxes }) => {
      const holder = await connectMailbox(hostile, "a1-mallory");
      const bodies = [0, 1].map((i) => eventBody("link", { description: `${i} ${LINK}` }));
      return async () => {
        const end = await beginAssault({
          origin: hostile.origin,
          kind: "writes",
          holders: [holder],
          bodies,
          perSecond: 2,
        });
        const stop = everySecond((i) =>
          mailboxes.put(
            "a1-mallory",
            `${i % 3}.ics`,
            eventText(`a1-${i % 3}`, { lines: [`DESCRIPTION:${LINK.repeat(4)}${i}`] }),
          ),
        );
        return () => ended(stop, end);
      };
    },
  },
  {
    name: "A2: calendar texts of the worst shapes, one a second",
    felt: "requests",
    prepare: async ({ hostile, mailboxes }) => {
      await connectMailbox(hostile, "a2-mallory");
      return async () => {
        const stop = everySecond((i) => mailboxes.put("a2-mallory", `${i % 8}.ics`, worstText(i)));
        return () => ended(stop);
      };
    },
  },
  {
    name: "A3: 100 channels at the other's receiver, half of them hang",
    felt: "notifications",
    prepare: async ({ hostile, mailboxes, receiver }) => {
      const holder = await connectMailbox(hostile, "a3-mallory");
      for (let i = 0; i < 100; i += 1) {
        await openChannel(hostile, holder, `${receiver.origin}/${i % 2 === 0 ? "hang" : "slow"}/${i}`);
      }
      return async () => {
        const stop = everySecond((i) =>
          mailboxes.put("a3-mallory", "a.ics", eventText("a3", { lines: [`SUMMARY:${i}`] })),
        );
        return () => ended(stop);
      };
    },
  },
  {
    name: `A4: four accounts rewrite a series of ${DAYS} days, 25 times a second each`,
    felt: "requests",
    prepare: async ({ hostile }) => {
      const holders = await many(4, (i) => hostedCalendar(hostile, `a4-${i}`));
      const rules = [{ frequency: "daily", count: DAYS }];
      const bodies = [0, 1, 2].map((i) =>
        eventBody("series", { summary: `Stand-up ${i}`, tzid: "Europe/Berlin", recurrence: { rules } }, 24 + i),
      );
      for (const holder of holders) await write(hostile, holder, bodies[0] ?? "");
      return () => beginAssault({ origin: hostile.origin, kind: "writes", holders, bodies, perSecond: 25 });
    },
  },
  {
    name: "A5: 300 unknown paths a second with 14 KB of query and headers",
    felt: "requests",
    prepare:
      async ({ hostile: { origin } }) =>
      () =>
        beginAssault({ origin, kind: "unknown-paths", perSecond: 300, bytes: 14_000 }),
  },
  {
    name: "A6: 60 connections that ask for large pages and never read",
    felt: "requests",
    fills: true,
    prepare: async ({ hostile }) => {
      const holder = await hostedCalendar(hostile, "a6");
      const rules = [{ frequency: "daily", count: 200 }];
      const more = { description: "ä".repeat(50_000), tzid: "Etc/UTC", recurrence: { rules } };
      await write(hostile, holder, eventBody("large", more));
      const path = "/v1/events?tzid=Etc/UTC&include_managed=true";
      // What service and database need to serve such pages they have from then on: what those who do not read add is measured.
      const end = performance.now() + READ_FIRST_MS;
      const reads = async () => {
        while (performance.now() < end) await readPage(hostile, holder, path);
      };
      await Promise.all(Array.from({ length: 60 }, reads));
      return () => beginAssault({ origin: hostile.origin, kind: "unread", path, token: holder.token, sockets: 60 });
    },
  },
  {
    name: "A7: 40 mailboxes whose server hangs",
    felt: "notifications",
    prepare: async ({ hostile, mailboxes }) => {
      const users = Array.from({ length: 40 }, (_, i) => `a7-${i}`);
      for (const [i, user] of users.entries()) await connectMailbox(hostile, user, `127.0.2.${i + 1}`);
      return async () => {
        mailboxes.treat(users, "hanging");
        return async () => mailboxes.treat(users, "proper");
      };
    },
  },
  {
    name: "A8: three mailboxes whose server answers with 48 MB of elements",
    felt: "requests",
    prepare: async ({ hostile, mailboxes }) => {
      const users = [0, 1, 2].map((i) => `a8-${i}`);
      for (const [i, user] of users.entries()) await connectMailbox(hostile, user, `127.0.3.${i + 1}`);
      return async () => {
        mailboxes.treat(users, "enormous");
        return async () => mailboxes.treat(users, "proper");
      };
    },
  },
  {
    name: "A9: 60 sign-ins of strangers at once, again and again",
    felt: "sign-ins",
    prepare:
      async ({ hostile: { origin } }) =>
      () =>
        beginAssault({ origin, kind: "sign-ins", atOnce: 60 }),
  },
];

function worstText(i: number): string {
  const plain = (lines: readonly string[]) => eventText(`a2-${i % 8}`, { lines: [...lines, `SUMMARY:${i}`] });
  const far = "20300101T000000Z";
  const shapes = [
    () =>
      [...Array.from({ length: 26_000 }, () => "BEGIN:A"), ...Array.from({ length: 26_000 }, () => "END:B")].join(
        "\r\n",
      ),
    () => plain(["RRULE:FREQ=SECONDLY"]),
    () => plain([`RRULE:FREQ=HOURLY;UNTIL=${far}`, "DURATION:P2190D"]),
    () => plain(Array.from({ length: 40_000 }, (_, day) => `RDATE:${dateOf(day)}`)),
    () => plain([`X-LONG${";A=1".repeat(250_000)}:x`]),
    () => plain([`DESCRIPTION:${"(".repeat(200_000)}`]),
    () => plain([`DESCRIPTION:${"https://a.b/".repeat(20_000)}`]),
    () => plain(["RRULE:FREQ=MINUTELY;BYSECOND=0,1,2,3,4,5,6,7,8,9;BYSETPOS=1,2,3"]),
  ];
  return (shapes[i % shapes.length] ?? shapes[0])?.() ?? "";
}

function dateOf(day: number): string {
  return `${new Date(Date.UTC(2026, 0, 1) + day * 3_600_000).toISOString().slice(0, 13).replaceAll(/[-]/g, "")}0000Z`;
}

function everySecond(act: (i: number) => void): () => Promise<void> {
  let i = 0;
  act(i);
  const timer = setInterval(() => {
    i += 1;
    act(i);
  }, 1_000);
  return async () => clearInterval(timer);
}

async function ended(...ends: (() => Promise<void>)[]): Promise<void> {
  for (const end of ends) await end();
}
