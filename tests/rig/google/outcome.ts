import type { Mail } from "@/tests/fakes/google/state";
import type { Life, Seen, Step } from "@/tests/rig/google/lives";
import { missing, seenAtGoogle, seenByApplication } from "@/tests/rig/google/seen";
import { read, type Stage } from "@/tests/rig/google/stage";
import type { Row } from "@/tests/rig/results";

/** What became of everything that was written, and of what others changed, once all of it is over. */
export async function outcome(
  stage: Stage,
  { what, origin, rounds }: { what: string; origin: string; rounds: readonly Life[][] },
): Promise<Row[]> {
  await read(stage);
  const [google, application] = [await seenAtGoogle(stage), await seenByApplication(stage, origin)];
  const done = rounds.flatMap((lives, round) =>
    lives.map(({ eventId, steps }) => ({ eventId, steps: steps.slice(0, rounds.length - round) })),
  );
  const shown = done.flatMap(({ steps }) => steps.at(-1)?.shows ?? []);
  const isOurs = ({ summary }: Seen) => done.some(({ eventId }) => summary.split(" ")[0] === eventId);
  const refused = await stage.field.db.query("SELECT FROM provider_writes");
  const { doubled, lost, expected } = await mails(stage, done);
  const writes = done.reduce((sum, { steps }) => sum + steps.length, 0);
  const none = (measuredWhat: string, n: number): Row => ({
    ...{ what: `Google, ${what}: ${measuredWhat}`, measured: `${n}`, limit: "0", ok: n === 0 },
  });
  return [
    none(`occurrences of ${google.length} at Google that are not read`, missing(google, application)),
    none("occurrences read that are not at Google", missing(application, google)),
    none(`occurrences missing at Google after ${writes} writes`, missing(shown, google)),
    none("occurrences at Google that were not written", missing(google.filter(isOurs), shown)),
    none("writes refused or left over", refused.length),
    none(`emails of ${expected} that were not sent`, lost),
    none("emails sent twice", doubled),
  ];
}

async function mails(
  { field, google, calendarId }: Stage,
  done: readonly { eventId: string; steps: readonly Step[] }[],
): Promise<{ doubled: number; lost: number; expected: number }> {
  const rows = await field.db.query<{ event_id: string; external_id: string }>(
    "SELECT event_id, external_id FROM events WHERE calendar_id = $1 AND event_id IS NOT NULL AND external_id IS NOT NULL",
    [calendarId],
  );
  const eventIds = new Map(rows.map(({ event_id, external_id }) => [external_id, event_id]));
  const balance = new Map<string, number>();
  const count = (eventId: string, kind: Mail["kind"], n: number) => {
    const key = `${eventId} ${kind}`;
    balance.set(key, (balance.get(key) ?? 0) + n);
  };
  // An occurrence is named after its series.
  for (const { eventId, kind } of google.outbox) count(eventIds.get(eventId.split("_")[0] ?? "") ?? eventId, kind, 1);
  let expected = 0;
  for (const { eventId, steps } of done) {
    for (const [kind, n] of steps.flatMap((step) => Object.entries(step.mails))) {
      count(eventId, kind as Mail["kind"], -n);
      expected += n;
    }
  }
  const sum = (values: number[]) => values.reduce((all, value) => all + Math.max(0, value), 0);
  const all = [...balance.values()];
  return { doubled: sum(all), lost: sum(all.map((value) => -value)), expected };
}
