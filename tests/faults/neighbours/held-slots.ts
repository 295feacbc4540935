import { type Assault, beginAssault } from "@/tests/faults/neighbours/assault";
import type { Attack } from "@/tests/faults/neighbours/attacks";
import { developerOf } from "@/tests/faults/neighbours/developer";
import type { Stage } from "@/tests/faults/neighbours/stage";
import { eventBody, type Holder, hostedCalendar, many, type Tenant, write } from "@/tests/faults/neighbours/tenants";

/** Enough of each of three applications to fill all slots at the database, however they are shared. */
const ACCOUNTS = 6;
const SLOW_EACH = 4;
const UPLOADS_EACH = 4;
/** More than may be parsed in one go. */
const UPLOADED_BYTES = 200_000;
const EVENTS = 50;
const IN_FLIGHT = 8;

const documentation = ["/docs", "/docs/webhooks", "/docs/recurrence", "/docs/limits", "/llms-full.txt"];
/** As browsers, programs and those who have the page ask. */
const headers: Record<string, string>[] = [
  { "accept-encoding": "br" },
  { "accept-encoding": "gzip" },
  {},
  { "if-none-match": "*" },
];

/** What an overview and three lists ask for, five times over: as much as one batch may hold. */
const CALLS = Array.from({ length: 5 }, () => ["overview.show", "requests.list", "deliveries.list", "accounts.list"]);

/** Attacks that hold what others wait for, or use the processor that others need (ADRs 86 and 87). */
export const slotAttacks: Attack[] = [
  {
    name: "D1: 72 requests of three applications that ask the sandbox for a minute's wait, whose clients leave after five seconds",
    felt: "requests",
    prepare: async (stage) => {
      const { origin } = stage.hostile;
      const holders = await holdersOf(stage, "d1", ACCOUNTS);
      const first = { authorization: `Bearer ${holders[0]?.token}`, "svc-sandbox-fault": "slow=1" };
      await expected(origin, { path: "/v1/account", headers: first, status: 200, names: "svc-sandbox-fault" });
      const tokens = holders.map(({ token }) => token);
      return () => beginAssault({ origin, kind: "slow", tokens, atOnce: SLOW_EACH, leaveAfterMs: 5_000 });
    },
  },
  {
    name: "D2: 40 requests a second for pages of the documentation, llms-full.txt and pages that do not exist",
    felt: "requests",
    prepare: async ({ hostile: { origin } }) => {
      for (const path of documentation) await expected(origin, { path, status: 200 });
      const paths = [...documentation, "/docs/no-such-page"];
      const pages = paths.flatMap((path) => headers.map((one) => ({ path, headers: one })));
      return () => beginAssault({ origin, kind: "pages", pages, perSecond: 40 });
    },
  },
  {
    name: "D3: twelve uploads of three applications that stop after 200 KB and trickle",
    felt: "large writes",
    prepare: async (stage) => {
      const holders = await holdersOf(stage, "d3", 1);
      const { origin } = stage.hostile;
      return () =>
        beginAssault({ origin, kind: "trickles", holders, uploadsEach: UPLOADS_EACH, bytes: UPLOADED_BYTES });
    },
  },
  {
    name: "D4: a developer's calls of the dashboard, 20 in a batch and 8 batches in flight",
    felt: "requests",
    prepare: async (stage) => {
      const holder = await hostedCalendar(stage.hostile, "d4");
      for (let i = 0; i < EVENTS; i += 1) await write(stage.hostile, holder, eventBody(`d4-${i}`, {}, 24 + i));
      const calls = await developerCalls(stage);
      return () => beginAssault(calls);
    },
  },
];

/** Accounts of the hostile application and of each of its accomplices. */
async function holdersOf({ hostile, accomplices }: Stage, name: string, each: number): Promise<Holder[]> {
  const opened = (tenant: Tenant) => many(each, (i) => hostedCalendar(tenant, `${name}-${i}`));
  return (await Promise.all([hostile, ...accomplices].map(opened))).flat();
}

async function developerCalls({ hostile, operator }: Stage): Promise<Assault> {
  const { origin } = hostile;
  const names = CALLS.flat();
  const input = encodeURIComponent(JSON.stringify(Object.fromEntries(names.map((_, i) => [i, {}]))));
  const path = `/api/trpc/${names.join(",")}?batch=1&input=${input}`;
  const headers = await developerOf(hostile, operator);
  const response = await expected(origin, { path, headers, status: 200 });
  const results: { error?: { message: string } }[] = JSON.parse(await response.text());
  const refused = results.find(({ error }) => error)?.error;
  if (refused || results.length !== names.length) throw new Error(`the developer's calls: ${refused?.message}`);
  return { origin, kind: "calls", path, headers, inFlight: IN_FLIGHT };
}

/** What an attack is made of works: one that is refused at once would hold nobody up. */
async function expected(
  origin: string,
  { path, headers = {}, status, names }: { path: string; headers?: object; status: number; names?: string },
): Promise<Response> {
  const response = await fetch(origin + path, { headers: { ...headers } });
  if (response.status !== status) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  if (names && !response.headers.get(names)) throw new Error(`${path}: ${names} is missing`);
  return response;
}
