import { newId } from "@/server/db/new-id";
import { seconds } from "@/tests/rig/durations";
import { passed, until } from "@/tests/rig/until";
import { type Run, send } from "@/tests/scale/inngest/trials";

const SLUG = "almanac-bulk-retry";
const FAILED = 1_000;
const PATIENCE_MS = 240_000;

interface RunAtServer {
  id: string;
  status: string;
}

/** A bulk retry is one run with a step for each piece, and who cancels the run at the server stops the bulk retry. */
export async function bulkRetries(run: Run): Promise<void> {
  const { balancer, field, rows, note } = run;
  balancer.calls.length = 0;
  const finished = await begun(run);
  await until(async () => (await stateOf(run, finished)) === "done", { within: PATIENCE_MS, what: "a bulk retry" });
  const calls = () => balancer.calls.filter(({ fnId }) => fnId === SLUG);
  await until(() => calls().some(({ isEnd }) => isEnd), { within: PATIENCE_MS, what: "its run's end" });
  await until(async () => (await runsOf(run))[0]?.status !== "RUNNING", { within: PATIENCE_MS, what: "its state" });
  const all = await runsOf(run);
  const shown = all.map(({ status }) => status);
  const pieces = await stepsOf(run, all[0]?.id ?? "");
  const [left] = await field.db.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM deliveries WHERE replay_id = $1 AND state <> 'delivered'",
    [finished],
  );
  note(`a bulk retry of ${FAILED} ended: ${pieces} steps`);
  rows.push({
    what: `Inngest: a bulk retry of ${FAILED} deliveries, which its dashboard shows`,
    measured: `${shown.join(", ")}, ${pieces} steps at ${new Set(calls().map(({ worker }) => worker)).size} workers, ${left?.n} not delivered`,
    limit: "one run, COMPLETED",
    ok: shown.join() === "COMPLETED" && left?.n === 0,
  });
  await cancelled(run);
}

async function cancelled(run: Run): Promise<void> {
  const { inngest, field, rows, note } = run;
  const id = await begun(run);
  const running = async () => (await runsOf(run)).find(({ status }) => status === "RUNNING");
  await until(async () => (await running()) !== undefined, { within: PATIENCE_MS, what: "a run" });
  await passed(5_000);
  const at = Date.now();
  await inngest.ask(`mutation { cancelRun(runID: "${(await running())?.id}") { id } }`);
  await until(async () => (await stateOf(run, id)) === "cancelled", { within: PATIENCE_MS, what: "its cancellation" });
  const took = Date.now() - at;
  note("a bulk retry was stopped by cancelling its run at the server");
  const [waiting] = await field.db.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM deliveries WHERE replay_id = $1 AND state = 'pending' AND lease IS NULL",
    [id],
  );
  rows.push({
    what: "Inngest: from cancelling the run to the end of its bulk retry",
    measured: `${seconds(took)}, ${waiting?.n} left due`,
    limit: "20 s, 0 left due",
    ok: took <= 20_000 && waiting?.n === 0,
  });
}

const REST_MS = 30_000;

/** While the receiver of a bulk retry does not respond its run sleeps, and no worker holds a call of it. */
export async function sleeping(run: Run): Promise<void> {
  const { balancer, field, receivers, silent, rows, note } = run;
  balancer.calls.length = 0;
  const [channel = ""] = await field.channels([receivers.urls[1] ?? ""]);
  silent.add(channel);
  const { id } = await bulkRetry(run, Promise.resolve([channel]));
  const calls = () => balancer.calls.filter(({ fnId }) => fnId === SLUG);
  // The longest time between the end of a call and the next one.
  const slept = () => Math.max(0, ...calls().map(({ at }, i) => at - (calls()[i - 1]?.endedAt ?? at)));
  await until(() => slept() > REST_MS / 2, { within: PATIENCE_MS, what: "the end of a sleep" });
  const rest = slept();
  silent.delete(channel);
  await until(async () => (await stateOf(run, id)) === "done", { within: PATIENCE_MS, what: "that bulk retry" });
  await until(() => calls().some(({ isEnd }) => isEnd), { within: PATIENCE_MS, what: "its run's end" });
  note("a bulk retry whose receiver did not respond slept, and went on when it did");
  rows.push({
    what: "Inngest: a sleep of 30 s in the run of a bulk retry whose receiver does not respond",
    measured: `${seconds(rest)}, then all of it retried`,
    limit: "30.00 s to 33.00 s",
    ok: rest >= REST_MS && rest <= REST_MS + 3_000,
  });
}

/** Starts a bulk retry of failed deliveries as the dashboard does. Gives its id. */
async function begun(run: Run): Promise<string> {
  return (await bulkRetry(run)).id;
}

/** The same, with when it was begun. Its event is lost if the server is away. */
export async function bulkRetry(
  { field, receivers, inngest }: Run,
  channels = field.channels([receivers.urls[1] ?? ""]),
): Promise<{ id: string; began: number }> {
  const [channel = ""] = await channels;
  await field.db.query(
    `INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host, state, attempts, last_status, created_at, finished_at)
SELECT 'whd_' || md5(c.id || i), c.id, c.account_id, a.application_id, 'change',
  json_build_object('notification', json_build_object('type', 'change'), 'channel', json_build_object('channel_id', c.id)),
  split_part(c.callback_url, '/', 3), 'failed', 10, 503, clock_timestamp() - i * interval '1 second', clock_timestamp()
FROM channels c JOIN accounts a ON a.id = c.account_id, generate_series(1, $2::int) i WHERE c.id = $1`,
    [channel, FAILED],
  );
  const id = newId("rpl");
  await field.db.query(
    `WITH replay AS (INSERT INTO replays (id, operator_id, filters, total, due_at, created_at)
  VALUES ($1, 'scale', $2, $3, clock_timestamp(), clock_timestamp()) RETURNING id)
INSERT INTO replay_tallies (replay_id) SELECT id FROM replay`,
    [id, JSON.stringify({ channel, state: ["failed"] }), FAILED],
  );
  const event = { id: `bulk-retry-${id}`, name: "almanac/bulk-retry", data: { id } };
  await send(inngest, event).catch(() => undefined);
  return { id, began: Date.now() };
}

export async function stateOf({ field }: Run, id: string): Promise<string | undefined> {
  const [row] = await field.db.query<{ state: string }>("SELECT state FROM replays WHERE id = $1", [id]);
  return row?.state;
}

/** The steps that the dashboard shows of a run. They appear there a little later than its end. */
async function stepsOf({ inngest }: Run, id: string): Promise<number> {
  const ask = () =>
    inngest.ask<{ run: { trace: { childrenSpans: { name: string }[] } | null } | null }>(
      `{ run(runID: "${id}") { trace { childrenSpans { name } } } }`,
    );
  await until(async () => Boolean((await ask()).run?.trace), { within: 30_000, what: "the run's steps" });
  return ((await ask()).run?.trace?.childrenSpans ?? []).filter(({ name }) => name.startsWith("piece")).length;
}

/** As the server's dashboard lists them. */
async function runsOf({ inngest }: Run): Promise<RunAtServer[]> {
  const { functions } = await inngest.ask<{ functions: { id: string; slug: string }[] }>("{ functions { id slug } }");
  const id = functions.find(({ slug }) => slug === SLUG)?.id;
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const { runs } = await inngest.ask<{ runs: { edges: { node: RunAtServer }[] } }>(
    `{ runs(orderBy: [{ field: QUEUED_AT, direction: DESC }], filter: { from: "${from}", functionIDs: ["${id}"] }) { edges { node { id status } } } }`,
  );
  return runs.edges.map(({ node }) => node);
}
