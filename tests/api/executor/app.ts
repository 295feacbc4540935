import { randomBytes } from "node:crypto";
import { Inngest } from "inngest";
import { serve } from "inngest/edge";
import { onTestFinished } from "vitest";
import { type Database, db } from "@/server/db/client";
import { type Executor, openExecutor } from "@/server/jobs/executor/executor";
import { storedRuns } from "../../fakes/stored-runs";

type Handler = (request: Request) => Promise<Response>;
type Functions = ReturnType<Inngest["createFunction"]>[];

export interface App {
  id: string;
  client: Inngest;
  executor: Executor;
  /** What the executor logged: [facts, sentence]. */
  logged: [object, string][];
  /** Another process on the same rows, with functions of its own or the same. */
  another(make?: (client: Inngest) => Functions, options?: Options): App;
  send(name: string, data?: object, more?: { id?: string; ts?: number }): Promise<string[]>;
}

export interface Options {
  db?: Database;
  callLimitMs?: number;
  /** Runs before the SDK's handler. */
  before?: (request: Request, next: Handler) => Promise<Response>;
}

/** An app of its own with real functions of the SDK, and an executor that drives them. It does nothing until it is started or told to settle. */
export function openApp(make: (client: Inngest) => Functions, options: Options = {}): App {
  return openOn(`test-${randomBytes(6).toString("hex")}`, make, options);
}

/** Every row of an app, in the tables that say something of its runs. */
export async function runsOf({ id }: App) {
  return await storedRuns(id);
}

function openOn(id: string, make: (client: Inngest) => Functions, options: Options): App {
  const signingKey = `signkey-test-${randomBytes(32).toString("hex")}`;
  const client = new Inngest({
    ...{ id, isDev: false, eventKey: "test", signingKey, baseUrl: "http://executor.invalid" },
    logger: { info() {}, warn() {}, error() {}, debug() {} },
    fetch: async (input, init) => await executor.receive(new Request(input, init)),
  });
  const serving = serve({ client, functions: make(client) }) as Handler;
  const { before, db: own = db(), callLimitMs } = options;
  const handler: Handler = before ? (request) => before(request, serving) : serving;
  const logged: App["logged"] = [];
  const note = (facts: object, sentence: string) => void logged.push([facts, sentence]);
  const log = { info: note, warn: note } as never;
  const url = "http://executor.invalid/api/inngest";
  const machineTime = () => Date.now();
  const executor = openExecutor({ db: own, handler, signingKey, appId: id, url, log, machineTime, callLimitMs });
  onTestFinished(() => executor.stop(0));
  return {
    ...{ id, client, executor, logged },
    another: (others = make, more = options) => openOn(id, others, more),
    send: async (name, data = {}, more = {}) => (await client.send({ name, data, ...more })).ids,
  };
}
