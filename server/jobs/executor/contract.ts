import { createHmac } from "node:crypto";
import { canonicalJson } from "@/server/jobs/executor/canonical-json";

/** A memoised step, as the SDK takes it: `{type: "data", data}` or `{type: "error", error}`. */
export type StepResult = { type: "data"; data: unknown } | { type: "error"; error: unknown };

export interface Call {
  functionId: string;
  runId: string;
  event: unknown;
  /** Memoised steps in the order of their completion. */
  steps: ReadonlyMap<string, StepResult>;
  /** 0 for the first. */
  attempt: number;
  maxAttempts: number;
}

/** One instruction of the SDK, of which there are about twenty kinds. */
export interface Operation {
  id: string;
  op: string;
  /** Of a sleep how long or until when, as the SDK writes it. */
  name: string;
  data: unknown;
  error: unknown;
}

export type Answer =
  | { kind: "returned" }
  | { kind: "operations"; operations: Operation[]; retryAfter: string | null }
  | { kind: "failed"; final: boolean; retryAfter: string | null; error: Failure };

/** What is kept of an error. Its message may quote a payload: it is stored with the run and never logged. */
export interface Failure {
  name: string;
  message: string;
}

export interface Contract {
  /** The configuration of all functions, as the SDK says it when it is registered. Throws when it does not. */
  readFunctions(): Promise<unknown[]>;
  /** Calls a function once. Never throws: what the handler throws is an answer too. */
  call(call: Call): Promise<Answer>;
}

export interface ContractOptions {
  handler: (request: Request) => Promise<Response>;
  signingKey: string;
  url: string;
  /** Milliseconds since 1970 by the clock that the SDK judges a signature's age by. */
  machineTime: () => number;
  callLimitMs: number;
}

const VERSION = 2;
/** Whatever comes next. */
const ANY_STEP = "step";

/** The SDK's HTTP contract, spoken inside the process. */
export function openContract(options: ContractOptions): Contract {
  const sign = signer(options);
  const send = async (url: URL, init: { method: string; headers?: Record<string, string>; body: object }) => {
    const body = canonicalJson(init.body);
    const headers = { "content-type": "application/json", host: url.host, "x-inngest-signature": sign(body) };
    return await options.handler(new Request(url, { ...init, headers: { ...headers, ...init.headers }, body }));
  };
  return {
    async readFunctions() {
      const headers = { "x-inngest-sync-kind": "in_band" };
      const response = await send(new URL(options.url), { method: "PUT", headers, body: { url: options.url } });
      if (response.status !== 200) throw new Error(`the functions cannot be read: the SDK answered ${response.status}`);
      const { functions } = (await response.json()) as { functions?: unknown };
      if (!Array.isArray(functions)) throw new Error("the functions cannot be read: the SDK named none");
      return functions;
    },
    async call(call) {
      const url = new URL(options.url);
      url.searchParams.set("fnId", call.functionId);
      url.searchParams.set("stepId", ANY_STEP);
      try {
        const answering = send(url, { method: "POST", body: bodyOf(call) }).then(readAnswer);
        return await withinLimit(answering, options.callLimitMs);
      } catch (error) {
        return failed({ error: failureOf(error) });
      }
    },
  };
}

function signer({ signingKey, machineTime }: ContractOptions): (body: string) => string {
  const key = signingKey.replace(/^signkey-\w+-/, "");
  return (body) => {
    const seconds = Math.floor(machineTime() / 1000);
    return `t=${seconds}&s=${createHmac("sha256", key).update(`${body}${seconds}`).digest("hex")}`;
  };
}

/** Without `ctx.fn_id` the SDK does not checkpoint: each call ends with the next step. */
function bodyOf({ runId, event, steps, attempt, maxAttempts }: Call): object {
  const ids = [...steps.keys()];
  return {
    version: VERSION,
    event,
    events: [event],
    steps: Object.fromEntries(steps),
    ctx: {
      run_id: runId,
      attempt,
      max_attempts: maxAttempts,
      disable_immediate_execution: false,
      use_api: false,
      stack: { stack: ids, current: Math.max(ids.length - 1, 0) },
    },
  };
}

/** A call cannot be taken back: one that outlives its limit is left alone, and counts as failed. */
async function withinLimit<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the call took too long")), limitMs).unref();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const retryAfter = response.headers.get("retry-after");
  const noRetry = response.headers.get("x-inngest-no-retry") === "true";
  if (response.status === 200) return { kind: "returned" };
  if (response.status === 206) return { kind: "operations", operations: readOperations(JSON.parse(text)), retryAfter };
  return failed({ final: noRetry || response.status === 400, retryAfter, error: readFailure(text, response.status) });
}

function failed(of: { final?: boolean; retryAfter?: string | null; error: Failure }): Answer {
  return { kind: "failed", final: of.final ?? false, retryAfter: of.retryAfter ?? null, error: of.error };
}

function readOperations(body: unknown): Operation[] {
  return (Array.isArray(body) ? body : [body]).map((given) => {
    const { id, op, name, data, error } = given as Record<string, unknown>;
    if (typeof id !== "string" || typeof op !== "string") throw new Error("the SDK answered no operation");
    return { id, op, name: typeof name === "string" ? name : "", data: data ?? null, error };
  });
}

function readFailure(text: string, status: number): Failure {
  const unknown = { name: `Http${status}`, message: "" };
  try {
    return { ...unknown, ...failureFields(JSON.parse(text)) };
  } catch {
    return unknown;
  }
}

/** The name and message of an error of any shape. */
function failureOf(error: unknown): Failure {
  return { name: "Error", message: "", ...failureFields(error) };
}

function failureFields(value: unknown): Partial<Failure> {
  if (typeof value !== "object" || value === null) return {};
  const { name, message } = value as Record<string, unknown>;
  return { ...(typeof name === "string" && { name }), ...(typeof message === "string" && { message }) };
}
