import type { Contract, Failure, Operation, StepResult } from "@/server/jobs/executor/contract";
import type { StoredStep } from "@/server/jobs/executor/executor.sql";
import type { Plan } from "@/server/jobs/executor/plan";
import type { ClaimedRun, Progress, Store } from "@/server/jobs/executor/store";
import { retryWait, sleepOf } from "@/server/jobs/executor/wait";

export interface Driver {
  store: Store;
  contract: Contract;
  /** Tries again while the database is away, for a while. */
  persist<T>(work: () => Promise<T>): Promise<T>;
  isStopping(): boolean;
  /** Says that a run failed for good. */
  lost(facts: { function: string; run: string; error: string }): void;
}

interface Run {
  claimed: ClaimedRun;
  plan: Plan;
  event: unknown;
  attempt: number;
  /** In the order of completion. */
  done: Map<string, StepResult>;
  /** Steps that are done and not written yet. */
  unsaved: StoredStep[];
}

/** What a call came to: more calls, or nothing more to do now. */
type Outcome = "on" | "over";

const MOST_STEPS = 1_000;

/** Calls a run's function again and again until it ends or has to wait. What each call came to is written before the next. */
export async function drive(driver: Driver, plan: Plan, claimed: ClaimedRun): Promise<void> {
  const run = readRun(plan, claimed);
  for (let outcome: Outcome = "on"; outcome === "on"; ) {
    outcome = driver.isStopping() ? await giveBack(driver, run) : await callNext(driver, run);
  }
}

function readRun(plan: Plan, claimed: ClaimedRun): Run {
  return {
    claimed,
    plan,
    event: JSON.parse(claimed.event),
    attempt: claimed.attempt,
    done: new Map(claimed.steps.map(({ id, result }) => [id, JSON.parse(result) as StepResult])),
    unsaved: [],
  };
}

/** The call that was counted at the claim is not made. */
async function giveBack(driver: Driver, run: Run): Promise<Outcome> {
  return await save(driver, run, { attempt: run.attempt - 1, release: { seconds: 0 } });
}

/** Asks the function for what comes next. */
async function callNext(driver: Driver, run: Run): Promise<Outcome> {
  const { plan, claimed, event, done, attempt } = run;
  if (attempt > plan.maxAttempts) return await fail(driver, run, diedInLastAttempt);
  const { id: functionId, maxAttempts } = plan;
  const call = { functionId, runId: claimed.id, event, steps: done, attempt: attempt - 1, maxAttempts };
  const answer = await driver.contract.call(call);
  if (answer.kind === "returned") return await finish(driver, run);
  if (answer.kind === "failed") return await callAgain(driver, run, answer);
  const [first, ...others] = answer.operations;
  if (first?.op === "Sleep" && others.length === 0) return await sleep(driver, run, first);
  const before = done.size;
  for (const operation of answer.operations) {
    if (operation.op === "StepError")
      return await callAgain(driver, run, { ...answer, error: noFailure, final: false });
    const refused = take(run, operation);
    if (refused) return await fail(driver, run, refused);
  }
  if (done.size > MOST_STEPS) return await fail(driver, run, tooManySteps);
  if (done.size > before) return await save(driver, run, { attempt: 1 });
  return await callAgain(driver, run, { error: nothingSaid, final: false, retryAfter: null });
}

/** The run is given back until the sleep is over, which is a step that is done by then. */
async function sleep(driver: Driver, run: Run, { id, name }: Operation): Promise<Outcome> {
  const wait = sleepOf(name);
  if (!wait) return await fail(driver, run, { name: "UnsupportedSleep", message: `it is to sleep for "${name}"` });
  complete(run, id, { type: "data", data: null });
  return await save(driver, run, { attempt: 0, release: wait });
}

/** Notes what the function did. Gives the failure for what the executor does not do. */
function take(run: Run, { op, id, data, error }: Operation): Failure | null {
  if (op === "StepRun") complete(run, id, { type: "data", data });
  else if (op === "StepFailed") complete(run, id, { type: "error", error: error ?? {} });
  else return { name: `Unsupported${op}`, message: `the embedded executor does not have ${op}` };
  return null;
}

function complete(run: Run, id: string, result: StepResult): void {
  run.unsaved.push({ id, place: run.done.size, result: JSON.stringify(result) });
  run.done.set(id, result);
}

type Refusal = { error: Failure; final: boolean; retryAfter: string | null };

async function callAgain(driver: Driver, run: Run, { error, final, retryAfter }: Refusal): Promise<Outcome> {
  const { attempt, plan } = run;
  if (final || attempt >= plan.maxAttempts) return await fail(driver, run, error);
  return await save(driver, run, { attempt, release: retryWait(attempt, retryAfter) });
}

/** Writes what is unsaved; with `release` the run is given back until then. Over too when the lease was lost. */
async function save(driver: Driver, run: Run, progress: Omit<Progress, "steps">): Promise<Outcome> {
  const steps = run.unsaved;
  run.unsaved = [];
  run.attempt = progress.attempt;
  const isOurs = await driver.persist(() => driver.store.save(run.claimed, { ...progress, steps }));
  return isOurs && !progress.release ? "on" : "over";
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

const noFailure: Failure = { name: "StepError", message: "" };
const nothingSaid: Failure = { name: "NothingToDo", message: "the SDK neither ended the run nor named a step" };
const diedInLastAttempt: Failure = { name: "DiedInLastAttempt", message: "the process ended during the last attempt" };
const tooManySteps: Failure = { name: "TooManySteps", message: `more than ${MOST_STEPS} steps` };
