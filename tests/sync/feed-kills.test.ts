import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "vitest";
import { address } from "../api/service";
import { bundledProgram } from "../fakes/bundled-program";
import { changeSync, setSyncDueNow } from "../fakes/stored";
import { calendar, feedServer, type Subscriber, subscriber } from "./feed-person";
import { ical, vevent } from "./world";

const server = feedServer();
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Syncs what is due and is killed at a statement, before it is sent or once it was answered. */
const program = `
import pg from "pg";
import { loopOf } from "@/server/jobs/work-kinds";
const { at, isDone } = JSON.parse(process.env.TASK);
let statements = 0;
let isReading = false;
const query = pg.Client.prototype.query;
pg.Client.prototype.query = function (...args) {
  const text = args[0]?.text ?? args[0];
  // From here on the profile is claimed.
  if (String(text).includes("FROM profile_syncs WHERE profile_id = $1")) isReading = true;
  const isLast = isReading && statements++ === at;
  if (isLast && !isDone) process.kill(process.pid, "SIGKILL");
  const answered = query.apply(this, args);
  if (isLast) answered?.then?.(() => process.kill(process.pid, "SIGKILL"));
  return answered;
};
await loopOf("sync").drain(60_000);
process.stdout.write(String(statements));
process.exit(0);
`;
let code = "";
beforeAll(() => {
  code = bundledProgram(program);
});

interface Kill {
  at: number;
  isDone: boolean;
}

/** A process of the service that syncs. Returns how many statements it sent, or null if it was killed. */
async function synced(person: Subscriber, kill: Kill): Promise<number | null> {
  await setSyncDueNow(person.profileId);
  const child = spawn(process.execPath, ["--input-type=module", "-"], {
    cwd: root,
    env: {
      ...process.env,
      FEED_ALLOWED_ORIGINS: server().origin,
      BASE_URL: await address(),
      TASK: JSON.stringify(kill),
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (piece) => {
    out += piece;
  });
  const exited = once(child, "close");
  child.stdin.end(code);
  const [exit, signal] = await exited;
  expect([exit, signal]).toEqual(signal ? [null, "SIGKILL"] : [0, null]);
  return signal ? null : Number(out);
}

const before = calendar(vevent("stays"), vevent("goes"), vevent("changes", ["SUMMARY:old"]));
const after = calendar(
  ...[vevent("stays"), vevent("changes", ["SUMMARY:new", "RRULE:FREQ=DAILY;COUNT=3"])],
  vevent("changes", ["SUMMARY:moved", `RECURRENCE-ID:${ical(3, "100000Z")}`, `DTSTART:${ical(3, "150000Z")}`]),
  vevent("comes"),
);

it("a process that dies at any statement of a read leaves nothing half, and the next read ends it", {
  timeout: 600_000,
}, async () => {
  const play = async (kill: Kill) => {
    const person = await subscriber(server(), before);
    await person.sync();
    const { cursor } = (await person.get("/v1/changes")).json;
    person.put(after);
    const statements = await synced(person, kill);
    const between = await person.summaries();
    await changeSync(person.profileId, { syncLease: null, syncLeasedUntil: null });
    await person.sync();
    const changes = (await person.get("/v1/changes", { cursor })).json.changes;
    const kinds = changes.map(({ kind }: { kind: string }) => kind).sort();
    const { state, reason } = await person.status();
    const end = [await person.summaries(), kinds, state, reason];
    return { statements, between, end };
  };
  const whole = await play({ at: 10_000, isDone: false });
  expect(whole.end).toEqual([
    ["comes", "moved", "new", "new", "stays"],
    ["created", "deleted", "updated"],
    "connected",
    null,
  ]);
  expect(whole.statements).toBeGreaterThan(5);
  const [old, received] = [
    ["goes", "old", "stays"],
    ["comes", "goes", "moved", "new", "new", "stays"],
  ];
  const all = [old, received, whole.between].map((one) => JSON.stringify(one));
  for (let at = 0; at < (whole.statements ?? 0); at += 1) {
    const { between, end } = await play({ at, isDone: at % 2 === 0 });
    expect(all, `killed at statement ${at}`).toContain(JSON.stringify(between));
    expect(end, `killed at statement ${at}`).toEqual(whole.end);
  }
});
