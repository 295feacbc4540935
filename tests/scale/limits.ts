import { type Field, inField } from "@/tests/rig/field";
import type { Row } from "@/tests/rig/results";
import { type Seeded, seedAccount, seedApplication } from "@/tests/rig/seed";
import { passed } from "@/tests/rig/until";
import { REDIS } from "@/tests/scale/redis";
import { sizeRows } from "@/tests/scale/sizes";

const PROCESSES = [2, 4];
const WITHIN = 0.05;
/** Spec "Limits": of an account 150 and 25 a second, of an application 600 and 100 a second. */
const ACCOUNT = { burst: 150, perSecond: 25 };
const APPLICATION = { burst: 600, perSecond: 100 };
const COLD = { requests: 400, forMs: 1_000 };
const LONG = { requests: 1_800, forMs: 6_000, accounts: 30 };
/** What others ask at the same time, all the while. */
const OTHERS = 6;
const OTHERS_PAUSE_MS = 50;

/** Requests that 2 and 4 web processes allow in common: in the first second of cold processes, and over six. */
export async function limits(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const processes of PROCESSES) {
    await inField({ origins: [] }, async (field) => {
      const stop = new AbortController();
      const accounts = await strangers(field);
      const webs = await Promise.all(
        Array.from({ length: processes }, () =>
          field.launch({ ALMANAC_ROLE: "web", REDIS_URL: REDIS, DATABASE_POOL: "4" }),
        ),
      );
      const origins = await Promise.all(webs.map((web) => web.ready()));
      const others = beside(accounts, origins, stop.signal);
      const cold = await allowed(origins, [field.account], COLD);
      rows.push(row(`account, the first second of ${processes} cold processes`, cold, ACCOUNT));
      const long = await allowed(origins, await colleagues(field), LONG);
      rows.push(row(`application, ${LONG.forMs / 1_000} s at ${processes} processes`, long, APPLICATION));
      stop.abort();
      await others;
      await Promise.all(webs.map((web) => web.end()));
      if (processes === PROCESSES.at(-1)) rows.push(...(await sizeRows(field.db, ["request_logs"])));
    });
  }
  return rows;
}

interface Allowed {
  allowed: number;
  of: number;
  /** From the first request to the last response, in seconds. */
  seconds: number;
}

/** Sends so many requests evenly over a time, to each process and of each account in turn. */
async function allowed(
  origins: readonly string[],
  accounts: readonly Seeded[],
  { requests, forMs }: { requests: number; forMs: number },
): Promise<Allowed> {
  const began = performance.now();
  const sent: Promise<number>[] = [];
  while (sent.length < requests) {
    const due = Math.min(requests, Math.ceil(((performance.now() - began) / forMs) * requests));
    while (sent.length < due) {
      const account = accounts[sent.length % accounts.length];
      sent.push(statusOf(origins[sent.length % origins.length] ?? "", account?.token ?? ""));
    }
    await passed(2);
  }
  const statuses = await Promise.all(sent);
  const odd = statuses.find((status) => status !== 200 && status !== 429);
  if (odd !== undefined) throw new Error(`a request was answered with ${odd}`);
  const seconds = (performance.now() - began) / 1_000;
  return { allowed: statuses.filter((status) => status === 200).length, of: requests, seconds };
}

async function statusOf(origin: string, token: string): Promise<number> {
  const response = await fetch(`${origin}/v1/account`, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.status;
}

/** Accounts of one application. */
async function colleagues({ db }: Field): Promise<Seeded[]> {
  const clientId = await seedApplication(db);
  return await Promise.all(Array.from({ length: LONG.accounts }, () => seedAccount(db, clientId)));
}

/** Accounts of as many applications. */
async function strangers({ db }: Field): Promise<Seeded[]> {
  return await Promise.all(Array.from({ length: OTHERS }, async () => seedAccount(db, await seedApplication(db))));
}

/** These accounts ask all processes until they are told to stop. */
async function beside(accounts: readonly Seeded[], origins: readonly string[], stop: AbortSignal): Promise<void> {
  const one = async ({ token }: Seeded) => {
    for (let n = 0; !stop.aborted; n += 1) {
      await statusOf(origins[n % origins.length] ?? "", token);
      await passed(OTHERS_PAUSE_MS);
    }
  };
  await Promise.all(accounts.map(one));
}

function row(what: string, { allowed, of, seconds }: Allowed, bucket: { burst: number; perSecond: number }): Row {
  const due = bucket.burst + bucket.perSecond * seconds;
  const off = allowed / due - 1;
  return {
    what: `rate limit of an ${what}`,
    measured: `${allowed} of ${of} allowed in ${seconds.toFixed(2)} s, ${due.toFixed(0)} were due (${(off * 100).toFixed(1)} %)`,
    limit: `within ${WITHIN * 100} %`,
    ok: Math.abs(off) <= WITHIN,
  };
}
