import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import canonicalize from "canonicalize";

interface SentEvent {
  name: string;
  data: object;
}

export interface FakeInngest {
  origin: string;
  /** The key by which it signs its calls; null: it accepts events, and calls nobody. */
  signingKey: string | null;
  /** The events that it was sent. */
  events: SentEvent[];
  /** What its calls were answered with. */
  statuses: number[];
  close(): void;
}

/** An Inngest server that knows the app once it is registered, and begins a run of `function` for each event of its name, by one call. */
export async function startInngest(signingKey: string | null, functionId = "almanac-round-trip"): Promise<FakeInngest> {
  let app: string | undefined;
  const server: Server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ ok: true, modified: true, ids: ["01"], status: 200 }));
    const json = text === "" ? null : JSON.parse(text);
    if (request.url?.startsWith("/fn/register")) app = json.url;
    if (!request.url?.startsWith("/e/")) return;
    for (const event of [json].flat() as SentEvent[]) {
      fake.events.push(event);
      if (`${event.name.replace("/", "-")}` === functionId && app && fake.signingKey !== null)
        fake.statuses.push(await called(app, event, fake.signingKey));
    }
  });
  const called = async (url: string, event: SentEvent, key: string): Promise<number> => {
    const body = callOf({ ...event, id: "1", ts: Date.now() });
    const target = `${url.split("?")[0]}?fnId=${functionId}&stepId=step`;
    const headers = { "content-type": "application/json", "x-inngest-signature": signature(body, key) };
    return (await fetch(target, { method: "POST", headers, body: JSON.stringify(body) })).status;
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const fake: FakeInngest = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    signingKey,
    events: [],
    statuses: [],
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
