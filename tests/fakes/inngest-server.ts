import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import canonicalize from "canonicalize";
import { playRun, type RunState } from "./inngest-run";

interface SentEvent {
  id?: string;
  name: string;
  data: Record<string, unknown>;
}

/** What of a registered function the fake goes by. */
interface Registered {
  id: string;
  triggers: { event?: string }[];
  singleton?: { key?: string };
}

export interface FakeRun {
  functionId: string;
  event: SentEvent;
  /** The results of its steps. */
  steps: unknown[];
  end: RunState;
}

export interface FakeInngest {
  origin: string;
  /** The key by which it signs its calls; null: it accepts events, and calls nobody. */
  signingKey: string | null;
  /** The events that it was sent. */
  events: SentEvent[];
  /** What its calls were answered with. */
  statuses: number[];
  /** The runs that are over. */
  runs: FakeRun[];
  /** The ids of functions of which it begins no runs. */
  paused: Set<string>;
  /** It answers events with 500. */
  isBroken: boolean;
  /** Forgets a function until it is registered again, as when a worker of an older version registers. */
  forget(functionId: string): void;
  close(): void;
}

/**
 * An Inngest server that knows the app once it is registered, and runs its functions by their events, step by step: one run
 * at a time for each key of a singleton, and one for each id of an event.
 */
export async function startInngest(signingKey: string | null): Promise<FakeInngest> {
  let app: { url: string; functions: Registered[] } | undefined;
  const active = new Set<string>();
  const known = new Set<string>();
  const server: Server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    response.setHeader("content-type", "application/json");
    if (fake.isBroken && request.url?.startsWith("/e/")) return void response.writeHead(500).end("{}");
    response.end(JSON.stringify({ ok: true, modified: true, ids: ["01"], status: 200 }));
    const json = text === "" ? null : JSON.parse(text);
    if (request.url?.startsWith("/fn/register")) app = json;
    if (request.url?.startsWith("/e/")) for (const event of [json].flat() as SentEvent[]) accept(event);
  });
  const accept = (event: SentEvent) => {
    fake.events.push(event);
    for (const one of app?.functions ?? []) {
      const isTriggered = one.triggers.some((trigger) => trigger.event === event.name);
      if (isTriggered && !fake.paused.has(one.id) && fake.signingKey !== null) void run(one, event, fake.signingKey);
    }
  };
  const run = async ({ id, singleton }: Registered, event: SentEvent, key: string) => {
    const single = `${id} ${singleton?.key === undefined ? "" : event.data[singleton.key.replace("event.data.", "")]}`;
    if ((singleton && active.has(single)) || (event.id !== undefined && known.has(`${id} ${event.id}`))) return;
    active.add(single);
    known.add(`${id} ${event.id}`);
    const call = async (signed: Request) => {
      const response = await fetch(signed);
      fake.statuses.push(response.status);
      return response;
    };
    const played = playRun(call, { url: app?.url.split("?")[0] ?? "", key, functionId: id, event });
    const end = await played.goOn().catch((): RunState => ({ state: "failed" })); // the service may be killed
    active.delete(single);
    fake.runs.push({ functionId: id, event, steps: played.steps(), end });
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const fake: FakeInngest = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    signingKey,
    events: [],
    statuses: [],
    runs: [],
    paused: new Set(),
    isBroken: false,
    forget(functionId) {
      if (app) app = { ...app, functions: app.functions.filter(({ id }) => id !== functionId) };
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return fake;
}

/** The body of a call of a run: its first, or the next after the steps that are done. It also runs the next step. */
export function callOf(event: object, steps: ReadonlyMap<string, unknown> = new Map()): object {
  const stack = { stack: [...steps.keys()], current: Math.max(steps.size - 1, 0) };
  const ctx = { run_id: "01", attempt: 0, max_attempts: 1, disable_immediate_execution: false, use_api: false, stack };
  const done = Object.fromEntries([...steps].map(([id, data]) => [id, { type: "data", data }]));
  return { version: 2, event, events: [event], steps: done, ctx };
}

export function signature(body: object, signingKey: string): string {
  const t = Math.floor(Date.now() / 1000);
  const key = signingKey.replace(/^signkey-\w+-/, "");
  return `t=${t}&s=${createHmac("sha256", key)
    .update(`${canonicalize(body)}${t}`)
    .digest("hex")}`;
}
