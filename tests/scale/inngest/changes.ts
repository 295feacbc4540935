import { mixedEvent } from "@/tests/fakes/google/mixed-events";
import { percentile, seconds } from "@/tests/rig/durations";
import type { Field } from "@/tests/rig/field";
import type { Receivers } from "@/tests/rig/receivers";
import type { Row } from "@/tests/rig/results";
import { seedChannels } from "@/tests/rig/seed";
import type { SideProcess } from "@/tests/rig/side-process";
import { passed, until } from "@/tests/rig/until";
import { providerIn } from "@/tests/scale/mailboxes";

/** Every other one is polled, because its provider notifies nobody of its changes. */
export const MAILBOXES = 100;
export const POLL_SECONDS = 15;
/** Until the work goes on without the server. */
const AWAY_AFTER_MS = 25_000;
const CHANGE_EVERY_MS = 3_000;
const FIRST_SYNCS_MS = 120_000;
/** The lease of a sync whose worker was killed ends within a minute. */
const CAUGHT_UP_MS = 120_000;

interface Mailbox {
  n: number;
  email: string;
  channel: string;
}

interface Change {
  mailbox: Mailbox;
  at: number;
}

/** Others change calendars at a provider, all the time. */
export interface Changes {
  /** The waits from changes in a time to their webhooks, of mailboxes whose provider notifies us and of polled ones. */
  waits(from: number, to: number): Promise<{ notified: number[]; polled: number[] }>;
  /** Ends it, and waits for what it was about. */
  stop(): Promise<Row[]>;
}

interface Given {
  field: Field;
  google: SideProcess;
  receivers: Receivers;
}

/** Connects mailboxes before any process runs. Gives what the processes need to know. */
export async function connectMailboxes({ field, google, receivers }: Given) {
  const provider = await providerIn(google, "google");
  const emails = await google.ask<string[]>("emails");
  const [application] = await field.db.query<{ id: string }>("SELECT id FROM applications LIMIT 1");
  const mailboxes: Mailbox[] = [];
  for (const [n, email] of emails.entries()) {
    await provider.connect(field.db, application?.id ?? "", email);
    const [account] = await field.db.query<{ id: string }>(
      "SELECT account_id AS id FROM profiles WHERE provider = 'google' ORDER BY created_at DESC LIMIT 1",
    );
    const [channel = ""] = await seedChannels(field.db, {
      accountId: account?.id ?? "",
      urls: [receivers.urls[2] ?? ""], // nothing else goes there
    });
    mailboxes.push({ n, email, channel });
  }
  await field.db.query("UPDATE profile_syncs SET sync_due_at = clock_timestamp() WHERE first_sync");
  const env = { ...provider.env, SYNC_POLL_SECONDS: `${POLL_SECONDS}`, SYNC_QUIET_POLL_SECONDS: `${POLL_SECONDS}` };
  return { env, mailboxes };
}

/** Begins when all mailboxes were read for the first time. */
export async function startChanges(
  { field, google, receivers }: Given,
  mailboxes: readonly Mailbox[],
): Promise<Changes> {
  const unread = () =>
    field.db.query("SELECT FROM profile_syncs WHERE readable AND provider = 'google' AND first_sync");
  await until(async () => (await unread()).length === 0, { within: FIRST_SYNCS_MS, what: "the first syncs" });
  const changes: Change[] = [];
  let isOver = false;
  const ended = (async () => {
    for (let i = 0; !isOver; i += 1) {
      const mailbox = mailboxes[i % mailboxes.length];
      if (!mailbox) throw new Error("there are no mailboxes");
      const event = { ...mixedEvent(1), id: `change${i}`, summary: `Change ${i}` };
      changes.push({ mailbox, at: Date.now() });
      await google.ask("put", { email: mailbox.email, event });
      await passed(CHANGE_EVERY_MS);
    }
  })();
  const postAfter = ({ mailbox, at }: Change) =>
    receivers.posts.find((post) => post.channelId === mailbox.channel && post.at > at);
  const allRead = async () => {
    const rows = await field.db.query<{ summary: string }>("SELECT summary FROM events WHERE summary LIKE 'Change %'");
    return { rows: rows.length, distinct: new Set(rows.map(({ summary }) => summary)).size };
  };
  return {
    waits: async (from, to) => {
      const within = changes.filter(({ at }) => at >= from && at < to);
      await until(() => within.every(postAfter), { within: CAUGHT_UP_MS, what: "the webhooks of changes" });
      const of = (isPolled: boolean) =>
        within
          .filter(({ mailbox }) => (mailbox.n % 2 === 0) === isPolled)
          .map((change) => (postAfter(change)?.at ?? 0) - change.at);
      return { notified: of(false), polled: of(true) };
    },
    stop: async () => {
      isOver = true;
      await ended;
      await until(async () => (await allRead()).distinct === changes.length && changes.every(postAfter), {
        within: CAUGHT_UP_MS,
        what: "the last change and its webhook",
      }).catch(() => undefined);
      const { rows, distinct } = await allRead();
      const channels = new Set(mailboxes.map(({ channel }) => channel));
      const posts = receivers.posts.filter(({ channelId }) => channels.has(channelId));
      const doubled = posts.length - new Set(posts.map(({ id }) => id)).size;
      const notified = changes.filter(postAfter).length;
      return [
        {
          what: "Inngest, all of this: changes at a provider that were read",
          measured: `${distinct} of ${changes.length}, ${rows - distinct} doubled`,
          limit: "all, none doubled",
          ok: distinct === changes.length && rows === distinct,
        },
        {
          what: "Inngest, all of this: changes that a webhook followed",
          measured: `${notified} of ${changes.length}, ${doubled} of ${posts.length} webhooks doubled`,
          limit: "all, doubled at most what was in flight",
          ok: notified === changes.length && doubled <= 2,
        },
      ];
    },
  };
}

/** The waits of changes while something was wrong, as rows. */
export function waitRows(what: string, { notified, polled }: { notified: number[]; polled: number[] }): Row[] {
  const row = (how: string, waits: number[], limitMs: number): Row => {
    const longest = Math.max(...waits);
    return {
      what: `Inngest: ${what}: from a change at a provider ${how} to its webhook, ${waits.length} times`,
      measured: `p50 ${seconds(percentile(waits, 0.5))}, longest ${seconds(longest)}`,
      limit: `${limitMs / 1_000} s`,
      ok: longest <= limitMs,
    };
  };
  return [
    row("that notifies", notified, AWAY_AFTER_MS + 5_000),
    row(`that is polled every ${POLL_SECONDS} s`, polled, (POLL_SECONDS * 1.1 + 5) * 1_000 + AWAY_AFTER_MS),
  ];
}
