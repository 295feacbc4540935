import { db } from "@/server/db/client";
import { type Connectable, connectable, providerTraits } from "@/server/domain/providers";
import { logFailure } from "@/server/http/log-failure";
import { processServices } from "@/server/http/process-services";
import { SMALL_BODY } from "@/server/http/read-body";
import { readBytes } from "@/server/http/read-bytes";
import { refusalOf } from "@/server/http/responses";
import { whenBusy } from "@/server/http/when-busy";
import { connectorOf } from "@/server/providers/connectors";
import type { HookNotice } from "@/server/providers/watching";
import { isGenuine, noticeWatches } from "@/server/store/mailboxes/watches";

/**
 * Serves POST /hooks/{provider}: notices of changes, from a provider or from anybody. All get the same answer, and only
 * those with the secret of a watch have an effect. It is not in the request log, which is for the applications'
 * requests.
 */
export async function hook(
  request: Request,
  { params }: { params: Promise<Record<string, string | string[] | undefined>> },
): Promise<Response> {
  const { provider: path } = await params;
  const providers = connectable.filter((each) => providerTraits[each].path === path);
  const readHook = providers.map((each) => connectorOf(each)?.readHook).find((reads) => reads !== undefined);
  if (!readHook) return empty(404);
  const bytes = await readBytes(request, SMALL_BODY);
  if (bytes === "too_large") return empty(413);
  if (bytes === "cut off") return empty(400);
  const body = Buffer.from(bytes).toString();
  const read = readHook({ headers: request.headers, query: new URL(request.url).searchParams, body });
  if ("challenge" in read) return new Response(read.challenge, { headers: { "content-type": "text/plain", ...safe } });
  const genuine = read.filter(isGenuine);
  return genuine.length > 0 ? whenBusy(() => noticed(String(path), providers, genuine)) : empty(202);
}

/**
 * Stores a provider's notices, which take their turns at the database as the requests of one application do, however
 * many anybody sends.
 */
async function noticed(
  path: string,
  providers: readonly Connectable[],
  notices: readonly HookNotice[],
): Promise<Response> {
  const applicant = { applicationId: `hooks/${path}`, accountId: null, writes: false };
  const slot = await processServices().admission.requests.enter(applicant);
  try {
    await noticeWatches(db(), providers, notices);
    return empty(202);
  } catch (error) {
    if (refusalOf(error)) throw error;
    logFailure(error, "notices of a provider could not be stored");
    return empty(500);
  } finally {
    slot.leave();
  }
}

const safe = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

function empty(status: number): Response {
  return new Response(null, { status, headers: safe });
}
