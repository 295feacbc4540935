import { freePort } from "@/tests/fakes/free-port";
import { seconds } from "@/tests/rig/durations";
import { inField } from "@/tests/rig/field";
import { type Post, startReceivers } from "@/tests/rig/receivers";
import { broken, messageOf, type Row } from "@/tests/rig/results";
import type { Service } from "@/tests/rig/service";
import { type SideProcess, startSideProcess } from "@/tests/rig/side-process";
import { startBalancer } from "@/tests/scale/inngest/balancer";
import { bulkRetries, sleeping } from "@/tests/scale/inngest/bulk-retries";
import { carried, LOADED } from "@/tests/scale/inngest/carried";
import { connectMailboxes, MAILBOXES, startChanges } from "@/tests/scale/inngest/changes";
import { inngestServer } from "@/tests/scale/inngest/inngest-server";
import * as outages from "@/tests/scale/inngest/outages";
import * as trials from "@/tests/scale/inngest/trials";

const WORKERS = 3;

/** INNGEST_TRIALS names the only trials to make, with commas. */
const isWanted = (name: string) => (process.env.INNGEST_TRIALS ?? name).split(",").includes(name);

/** The workers, driven by a real Inngest server. Without one nothing, which is said. */
export async function inngest(): Promise<Row[]> {
  const server = inngestServer();
  if (!server) {
    process.stdout.write(
      "No Inngest server: INNGEST_BASE_URL, INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY are not all set.\n",
    );
    return [];
  }
  const refused = new Set<string>();
  const silent = new Set<string>();
  const refuses = ({ attempt, channelId }: Post) => attempt === 1 && refused.has(channelId);
  const receivers = await startReceivers(3 + LOADED, {
    answerAfterMs: 100,
    status: (post) => (refuses(post) ? 500 : 200),
    isDead: ({ channelId }) => silent.has(channelId),
  });
  const balancer = await startBalancer(await freePort());
  const google = startSideProcess("google-process", { MAILBOXES: String(MAILBOXES) });
  try {
    await google.ask("halfUnwatched");
    await server.start?.(server.signingKey);
    return await inField(receivers, (field) =>
      driven({ field, inngest: server, balancer, receivers, refused, silent }, google),
    );
  } finally {
    await google.close();
    balancer.close();
    await receivers.close();
    await server.kill();
  }
}

async function driven(
  parts: Pick<trials.Run, "field" | "inngest" | "balancer" | "receivers" | "refused" | "silent">,
  google: SideProcess,
): Promise<Row[]> {
  const { field, inngest, balancer, receivers } = parts;
  const { env, mailboxes } = await connectMailboxes({ field, google, receivers });
  const port = await freePort();
  const began = Date.now();
  const both = (keys: Record<string, string>) => ({
    ...{ INNGEST_BASE_URL: inngest.origin, INNGEST_EVENT_KEY: inngest.eventKey, INNGEST_SERVE_ORIGIN: balancer.origin },
    ...{
      INNGEST_SIGNING_KEY: inngest.signingKey,
      SWEEP_SECONDS: String(trials.SWEEP_SECONDS),
      DATABASE_POOL: "5",
      BASE_URL: `http://127.0.0.1:${port}`,
      ...env,
      ...keys,
    },
  });
  const web = await field.launch({ ALMANAC_ROLE: "web", PORT: String(port), ...both({}) });
  const running = new Map<string, Service>();
  const worker = async (name: string, keys: Record<string, string>) => {
    const port = await freePort();
    const service = await field.launch({ ALMANAC_ROLE: "worker", PORT: String(port), ...both(keys) });
    running.set(name, service);
    await service.ready(); // which says BASE_URL
    balancer.workers.set(name, `http://127.0.0.1:${port}`);
    return service;
  };
  const note = (what: string) => process.stdout.write(`| ${seconds(Date.now() - began)} | ${what} |\n`);
  const run: trials.Run = { ...parts, web: await web.ready(), worker, running, opened: new Map(), note, rows: [] };
  for (let i = 0; i < WORKERS; i += 1) await worker(`worker-${i}`, {});
  note(`a web process and ${WORKERS} workers are ready`);
  await trials.registered(run);
  // One trial that failed says nothing of the others.
  const each = async (all: readonly ((run: trials.Run) => Promise<void>)[]) => {
    for (const trial of all.filter(({ name }) => isWanted(name)))
      await trial(run).catch((error: unknown) => run.rows.push(broken(`Inngest: ${trial.name}`, messageOf(error))));
  };
  await each([trials.woken, trials.delayed, trials.retried, trials.later, trials.chores, trials.cron]);
  await each([bulkRetries, sleeping, trials.burst]);
  const changes = await startChanges({ field, google, receivers }, mailboxes);
  await each([carried]);
  const load = trials.startLoad(run);
  note("people change their calendars at a provider from here on");
  const { start } = inngest;
  await each([outages.workerKilled, outages.workerStopped]);
  const rotated = (one: trials.Run) => outages.rotated(one, start ?? (async () => {}));
  const away = (one: trials.Run) => outages.away(one, start ?? (async () => {}), changes);
  const wiped = (one: trials.Run) => outages.wiped(one, start ?? (async () => {}));
  if (start) await each([rotated, away]);
  if (start && inngest.wipe) await each([wiped]);
  await load.stop();
  run.rows.push(...(await changes.stop()));
  await each([trials.allVerified]);
  return run.rows;
}
