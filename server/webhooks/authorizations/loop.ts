import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run, runOne } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { GIVEN_UP_AFTER_MS, waitAfter } from "@/server/domain/channels/schedule";
import { env } from "@/server/env";
import { log } from "@/server/log";
import {
  type ClaimedAuthorization,
  claimAuthorizations,
  nextAuthorization,
  tryAgain,
} from "@/server/webhooks/authorizations/claim.sql";
import { openMailbox } from "@/server/webhooks/authorizations/open-mailbox";
import { tell } from "@/server/webhooks/authorizations/tell";
import { type WorkLoop, workLoop } from "@/server/work-loop";

/** Mailboxes that a process opens at once. */
const MOST_AT_ONCE = 10;
const SHORTEST_WAIT_MS = 100;
/** Between tries of what fails here, after those of the schedule. */
const LAST_WAIT_MS = 3_600_000;

/** Opens the mailboxes that applications have asked for, and tells their callback URLs. */
export function authorizationLoop(): WorkLoop {
  return workLoop<ClaimedAuthorization>({
    claim: async ({ inProgress }) =>
      inProgress >= MOST_AT_ONCE
        ? null
        : await run(db().query, claimAuthorizations, [databaseTime(), MOST_AT_ONCE - inProgress]),
    work: async (claimed) => {
      const came = await workOn(claimed).catch(async (error) => {
        log({ module: "authorizations" }).error({ authorizationId: claimed.id, err: error }, "an authorization failed");
        const wait = waitAfter(claimed.attempt, Math.random()) ?? LAST_WAIT_MS;
        const values = [claimed.id, claimed.attempt, databaseTime(), wait, null, "internal"];
        await run(db().query, tryAgain, values).catch(() => undefined); // it is due again when its lease is over
        return "internal";
      });
      return { subject: claimed.applicationId, counts: { [came]: 1 } };
    },
    nextIn: nextAuthorizationIn,
    shortestWaitMs: SHORTEST_WAIT_MS,
    onIdle: (nextInMs) => wake("authorize", nextInMs),
  });
}

/** Returns in how many milliseconds an authorization is due. Null: never. */
export async function nextAuthorizationIn(): Promise<number | null> {
  return (await runOne(db().query, nextAuthorization, [databaseTime()])).ms;
}

async function workOn(claimed: ClaimedAuthorization): Promise<string> {
  const { outcome, id, attempt, createdAt } = claimed;
  if (clock().now() - createdAt.getTime() > GIVEN_UP_AFTER_MS) {
    await run(db().query, tryAgain, [id, attempt, databaseTime(), null, null, "timeout"]);
    return "given_up";
  }
  const decided = outcome === null ? await openMailbox(db(), claimed) : { ...claimed, outcome };
  if (decided === null) return "waits";
  const isTold = await tell({ db: db(), allowedOrigins: env().CALLBACK_ALLOWED_ORIGINS, random: Math.random }, decided);
  return isTold ? decided.outcome : "not_told";
}
