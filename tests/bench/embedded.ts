import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newApplications, type Opened, openAccounts } from "@/tests/bench/cost/accounts";
import { hangUp, type Row, timed } from "@/tests/bench/measure";
import { startOn } from "@/tests/bench/servers";
import { median } from "@/tests/rig/durations";
import { residentMegabytes } from "@/tests/rig/processor-time";

const ACCOUNTS = 100;
const REQUESTS = 10_000;
const CONNECTIONS = 8;
const STARTS = 3;
const MOST_MEGABYTES = 350;
const MOST_MS = 5_000;
const paths = ["/v1/account", "/v1/calendars", "/v1/events?tzid=Etc/UTC", "/v1/free_busy?tzid=Etc/UTC", "/v1/userinfo"];

/** What a newcomer's machine has to give: how long a built checkout takes to start, and how much memory it then holds. */
export async function embeddedRows(_address: string, say: (text: string) => void): Promise<Row[]> {
  const applications = newApplications(ACCOUNTS);
  const env = { DATABASE_URL: "", BOOTSTRAP_APPLICATIONS: JSON.stringify(applications) };
  const folder = mkdtempSync(join(tmpdir(), "almanac-bench-"));
  try {
    const [first, again]: [number[], number[]] = [[], []];
    for (let start = 0; start < STARTS; start += 1) {
      const dataDir = join(folder, String(start));
      first.push(await readyAfter(dataDir));
      again.push(await readyAfter(dataDir));
    }
    const server = await startOn(join(folder, "memory"), env);
    try {
      const idle = residentMegabytes(server.child.pid ?? 0);
      const accounts = await openAccounts(server.origin, applications);
      say(`${REQUESTS.toLocaleString("en")} requests …`);
      await sendRequests(server.origin, accounts);
      const megabytes = residentMegabytes(server.child.pid ?? 0);
      return [
        timeRow("embedded: first start of a built checkout to ready", first),
        timeRow("embedded: the same, with a database that is there", again),
        {
          what: "embedded: memory after the start and 10,000 requests",
          ...{ ours: `${megabytes.toFixed(0)} MB`, other: `${idle.toFixed(0)} MB before them` },
          ...{ value: megabytes, limit: MOST_MEGABYTES, unit: "MB" },
        },
      ];
    } finally {
      hangUp();
      await server.end();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function readyAfter(dataDir: string): Promise<number> {
  const server = await startOn(dataDir, { DATABASE_URL: "" });
  await server.end();
  return server.readyMs;
}

function timeRow(what: string, times: readonly number[]): Row {
  const value = median(times);
  return { what, ours: `${value.toFixed(0)} ms`, other: "", value, limit: MOST_MS, unit: "ms" };
}

/** A few of everything that reads, each account in its turn, within their rate limits. */
async function sendRequests(origin: string, accounts: readonly Opened[]): Promise<void> {
  let next = 0;
  const connection = async () => {
    for (let i = next++; i < REQUESTS; i = next++) {
      const token = accounts[Math.floor(i / paths.length) % accounts.length]?.accessToken;
      await timed({ origin, method: "GET", path: paths[i % paths.length] ?? "", token, expect: 200 });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
}
