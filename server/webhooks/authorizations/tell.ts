import { clock } from "@/server/clock";
import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { newToken } from "@/server/db/new-id";
import { digest } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import { waitAfter } from "@/server/domain/channels/schedule";
import { authorizationSentence } from "@/server/domain/delegations";
import { send } from "@/server/egress/send";
import { storeCode } from "@/server/store/grants/codes";
import { ATTEMPT_DEADLINE_MS } from "@/server/webhooks/attempt";
import { noteTold, tryAgain } from "@/server/webhooks/authorizations/claim.sql";
import type { Decided } from "@/server/webhooks/authorizations/open-mailbox";
import { opened } from "@/server/webhooks/secrets";
import { signedHeaders } from "@/server/webhooks/sign";

export interface Telling {
  db: Database;
  allowedOrigins: readonly string[];
  /** From 0 to 1. */
  random(): number;
}

const GONE = 410;

/**
 * Tells the callback URL what came of an authorization, as a webhook: with the same signature, deadline and retries.
 * Each attempt has a code of its own, since a code ends sooner than the retries do.
 */
export async function tell({ db, allowedOrigins, random }: Telling, decided: Decided): Promise<boolean> {
  const { id, attempt, callbackUrl, compatibilityMode } = decided;
  const body = JSON.stringify({
    authorization: { ...(await resultOf(db, decided)), state: decided.state ?? undefined },
  });
  const clientSecrets = decided.clientSecrets.map((secret) =>
    opened(secret.sealed, { table: "client_secrets", column: "sealed", row: secret.id }),
  );
  const signing = { deliveryId: id, attempt, body, clientSecrets, channelSecret: null, compatibilityMode };
  const headers = signedHeaders({ ...signing, now: clock().now() });
  const request = { url: callbackUrl, method: "POST", headers, body, deadlineMs: ATTEMPT_DEADLINE_MS, allowedOrigins };
  const sent = await send(request);
  const status = sent.kind === "answered" ? sent.status : null;
  const isAccepted = status !== null && status >= 200 && status < 300;
  if (isAccepted) {
    await run(db.query, noteTold, [id, attempt, databaseTime(), status]);
    return true;
  }
  const wait = status === GONE ? null : waitAfter(attempt, random());
  const error = sent.kind === "failed" ? sent.errorClass : null;
  await run(db.query, tryAgain, [id, attempt, databaseTime(), wait, status, error]);
  return false;
}

async function resultOf(db: Database, { outcome, applicationId, accountId, profileId, callbackUrl }: Decided) {
  if (outcome !== "authorized") return { error: outcome, error_description: authorizationSentence(outcome) };
  const code = newToken();
  const isStored = await db.transaction(async (_, prisma) => {
    const account = await prisma.account.findFirst({
      select: { id: true },
      where: { id: accountId ?? "", revokedAt: null },
    });
    if (!account) return false;
    const issued = { hash: digest(code), applicationId, accountId: account.id, profileId, pending: null };
    await storeCode(prisma, { ...issued, redirectUri: callbackUrl, codeChallenge: null, now: clock().now() });
    return true;
  });
  if (isStored) return { code };
  return { error: "account_deleted", error_description: "The account was deleted before its code was exchanged" };
}
