import { databaseFault } from "@/server/db/faults";
import type { Answer, Contract, Failure, Operation, StepResult } from "@/server/jobs/executor/contract";
import type { Plan } from "@/server/jobs/executor/plan";
import type { ClaimedRun, StepChange, Store } from "@/server/jobs/executor/store";
import { readSleep, retryWait, type Wait } from "@/server/jobs/executor/wait";

export interface Driver {
  store: Store;
  contract: Contract;
  /** Tries again while the database is away, for a while. */
  persist<T>(work: () => Promise<T>): Promise<T>;
  isStopping(): boolean;
  /** Says that a run failed for good. */
  lost(facts: { function: string; run: string; error: string }): void;
}

interface Pending {
  sleeps: boolean;
  attempts: number;
  isDue: boolean;
  wait: Wait;
}

interface Run {
  claimed: ClaimedRun;
  plan: Plan;
  event: unknown;
  attempt: number;
  /** In the order of completion. */
  done: Map<string, StepResult>;
  pending: Map<string, Pending>;
  /** What the next write has to say of steps. */
  unsaved: Map<string, StepChange>;
}

/** What a call came to: more calls, or nothing more to do now. */
type Outcome = "on" | "over";

const MOST_STEPS = 1_000;
const MOST_AT_ONCE = 8;

/** Calls a run's function again and again until it ends or has to wait. What each call came to is written before the next. */
export async function drive(driver: Driver, plan: Plan, claimed: ClaimedRun): Promise<void> {
  const run = readRun(plan, claimed);
  try {
    await callUntilOver(driver, run);
  } catch (error) {
    if (databaseFault(error) !== "invalid_value") throw error;
    await fail(driver, run, refusedByDatabase);
  }
}

async function callUntilOver(driver: Driver, run: Run): Promise<void> {
  for (let outcome: Outcome = "on"; outcome === "on"; ) {
    if (driver.isStopping()) return await giveBack(driver, run);
    const planned = [...run.pending].filter(([, { sleeps, isDue }]) => !sleeps && isDue);
    // A run of a limited function counts as one: its parallel steps are called one after another.
    const some = planned.slice(0, run.plan.limits.length > 0 ? 1 : MOST_AT_ONCE);
    outcome = some.length > 0 ? await callSteps(driver, run, some) : await callNext(driver, run);
  }
}

function readRun(plan: Plan, claimed: ClaimedRun): Run {
  const finished = claimed.steps.filter(({ place }) => place !== null);
  const pending = claimed.steps.filter(({ place }) => place === null);
  const run: Run = {
    claimed,
    plan,
    event: JSON.parse(claimed.event),
    attempt: claimed.attempt,
    done: new Map(finished.map(({ id, result }) => [id, JSON.parse(result ?? "null") as StepResult])),
    pending: new Map(pending.map(({ dueAt, ...step }) => [step.id, { ...step, wait: { until: new Date(dueAt) } }])),
    unsaved: new Map(),
  };
  for (const { id, sleeps, isDue } of pending) if (sleeps && isDue) complete(run, id, { type: "data", data: null });
  return run;
}

function complete(run: Run, id: string, result: StepResult): void {
  const { sleeps = false, attempts = run.attempt } = run.pending.get(id) ?? {};
  run.unsaved.set(id, { id, sleeps, attempts, place: run.done.size, result: JSON.stringify(result) });
  run.pending.delete(id);
  run.done.set(id, result);
}

function postpone(run: Run, id: string, pending: Omit<Pending, "isDue">): void {
  run.pending.set(id, { ...pending, isDue: false });
  run.unsaved.set(id, { id, sleeps: pending.sleeps, attempts: pending.attempts, ...pending.wait });
}

/** The call that was counted at the claim is not made. */
async function giveBack(driver: Driver, run: Run): Promise<void> {
  await save(driver, run, { attempt: run.attempt - 1, release: { seconds: 0 } });
}

/** Asks the function for what comes next. */
async function callNext(driver: Driver, run: Run): Promise<Outcome> {
  if (run.attempt > run.plan.maxAttempts) return await fail(driver, run, diedInLastAttempt);
  const answer = await call(driver, run, { stepId: "step", attempt: run.attempt });
  if (answer.kind === "returned") return await finish(driver, run);
  if (answer.kind === "failed") return await callAgain(driver, run, answer);
  const before = run.done.size;
  for (const operation of answer.operations) {
    if (operation.op === "StepError")
      return await callAgain(driver, run, { ...answer, error: noFailure, final: false });
    const refused = take(run, operation);
    if (refused) return await fail(driver, run, refused);
  }
  if (run.done.size + run.pending.size > MOST_STEPS) return await fail(driver, run, tooManySteps);
  if ([...run.pending.values()].some(({ sleeps, isDue }) => !sleeps && isDue)) return "on";
  if (run.done.size > before) return await save(driver, run, { attempt: 1 });
  if (run.pending.size === 0)
    return await callAgain(driver, run, { error: nothingSaid, final: false, retryAfter: null });
  return await save(driver, run, { attempt: 0, release: firstOf([...run.pending.values()].map(({ wait }) => wait)) });
}

/** Notes what the function did or wants. Gives the failure for what the executor does not do. */
function take(run: Run, { op, id, name, data, error }: Operation): Failure | null {
  if (op === "StepRun") complete(run, id, { type: "data", data });
  else if (op === "StepFailed") complete(run, id, { type: "error", error: error ?? {} });
  else if (run.pending.has(id) || run.done.has(id)) return null;
  else if (op === "StepPlanned") run.pending.set(id, { sleeps: false, attempts: 0, isDue: true, wait: { seconds: 0 } });
  else if (op === "Sleep") {
    const wait = readSleep(name);
    if (!wait) return { name: "UnreadableSleep", message: name };
    postpone(run, id, { sleeps: true, attempts: 0, wait });
  } else return { name: `Unsupported${op}`, message: `the embedded executor does not have ${op}` };
  return null;
}

/** Calls planned steps side by side; what each came to is written as soon as it is known. */
async function callSteps(driver: Driver, run: Run, steps: [string, Pending][]): Promise<Outcome> {
  for (const [id, step] of steps) {
    if (step.attempts >= run.plan.maxAttempts) return await fail(driver, run, diedInLastAttempt);
    step.attempts++;
    run.unsaved.set(id, { id, sleeps: false, attempts: step.attempts, seconds: 0 });
  }
  if ((await save(driver, run, { attempt: run.attempt })) === "over") return "over";
  const outcomes = await Promise.all(steps.map(([id, step]) => callStep(driver, run, id, step)));
  return outcomes.includes("over") ? "over" : "on";
}

async function callStep(driver: Driver, run: Run, id: string, step: Pending): Promise<Outcome> {
  const answer = await call(driver, run, { stepId: id, attempt: step.attempts });
  if (answer.kind === "returned") return await finish(driver, run);
  const isLast = step.attempts >= run.plan.maxAttempts;
  const own = answer.kind === "operations" ? answer.operations.find((operation) => operation.id === id) : undefined;
  if (own?.op === "StepRun") complete(run, id, { type: "data", data: own.data });
  else if (own?.op === "StepFailed" || (own?.op === "StepError" && isLast)) {
    complete(run, id, { type: "error", error: own.error ?? {} });
  } else if (answer.kind === "failed" && (answer.final || isLast)) return await fail(driver, run, answer.error);
  else if (!own && isLast) return await fail(driver, run, nothingSaid);
  else postpone(run, id, { sleeps: false, attempts: step.attempts, wait: retryWait(step.attempts, answer.retryAfter) });
  return await save(driver, run, { attempt: 1 });
}

async function call(
  driver: Driver,
  run: Run,
  { stepId, attempt }: { stepId: string; attempt: number },
): Promise<Answer> {
  return await driver.contract.call({
    functionId: run.plan.id,
    stepId,
    runId: run.claimed.id,
    event: run.event,
    steps: run.done,
    attempt: attempt - 1,
    maxAttempts: run.plan.maxAttempts,
    planOnly: run.pending.size > 0,
  });
}

type Refusal = { error: Failure; final: boolean; retryAfter: string | null };

async function callAgain(driver: Driver, run: Run, { error, final, retryAfter }: Refusal): Promise<Outcome> {
  if (final || run.attempt >= run.plan.maxAttempts) return await fail(driver, run, error);
  return await save(driver, run, { attempt: run.attempt, release: firstOf([retryWait(run.attempt, retryAfter)]) });
}

/** Writes what is unsaved; with `release` the run is given back until then. Over too when the lease was lost. */
async function save(
  driver: Driver,
  run: Run,
  { attempt, release }: { attempt: number; release?: { seconds?: number; until?: Date } },
): Promise<Outcome> {
  const steps = [...run.unsaved.values()];
  run.unsaved.clear();
  run.attempt = attempt;
  const saved = await driver.persist(() => driver.store.save(run.claimed, { attempt, steps, release }));
  if (!saved || release) return "over";
  for (const { id, seconds } of steps) {
    const pending = run.pending.get(id);
    if (pending && seconds !== undefined) pending.wait = { until: new Date(saved.now.getTime() + seconds * 1000) };
  }
  return "on";
}

async function finish(driver: Driver, run: Run): Promise<Outcome> {
  await driver.persist(() => driver.store.finish(run.claimed));
  return "over";
}

async function fail(driver: Driver, run: Run, error: Failure): Promise<Outcome> {
  const isOurs = await driver.persist(() => driver.store.finish(run.claimed, error));
  if (isOurs) driver.lost({ function: run.plan.id, run: run.claimed.id, error: nameOf(error) });
  return "over";
}

/** Names are the code's own, but one that is not a plain word may quote something. */
function nameOf({ name }: Failure): string {
  return /^\w{1,60}$/.test(name) ? name : "Error";
}

function firstOf(waits: Wait[]): { seconds?: number; until?: Date } {
  const seconds = waits.flatMap((wait) => ("seconds" in wait ? [wait.seconds] : []));
  const until = waits.flatMap((wait) => ("until" in wait ? [wait.until.getTime()] : []));
  return {
    ...(seconds.length > 0 && { seconds: Math.min(...seconds) }),
    ...(until.length > 0 && { until: new Date(Math.min(...until)) }),
  };
}

const noFailure: Failure = { name: "StepError", message: "" };
const nothingSaid: Failure = { name: "NothingToDo", message: "the SDK neither ended the run nor named a step" };
const diedInLastAttempt: Failure = { name: "DiedInLastAttempt", message: "the process ended during the last attempt" };
const refusedByDatabase: Failure = { name: "RefusedByDatabase", message: "a value that cannot be stored" };
const tooManySteps: Failure = { name: "TooManySteps", message: `more than ${MOST_STEPS} steps` };
