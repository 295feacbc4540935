import type { RequestKind, Verdict } from "@/server/domain/provider-responses/verdicts";
import type { Provider } from "@/server/domain/providers";
import type { EgressFetch } from "@/server/egress/fetch";
import { meters, type ProviderRequestKind } from "@/server/meters";
import type { JsonResponse } from "@/server/providers/ask-json";

const kinds: Record<RequestKind, ProviderRequestKind> = {
  ...{ renew_access: "sign_in", exchange_code: "sign_in", end_grant: "sign_in", act_for_user: "sign_in" },
  ...{ read_directory: "list", list_calendars: "list", list_calendar_changes: "list", read_settings: "list" },
  ...{ list_events: "read", list_event_changes: "read", read_event: "read", find_link: "read" },
  ...{ open_watch: "watch", renew_watch: "watch", stop_watch: "watch" },
  ...{ create_event: "write", change_event: "write", delete_event: "write", batch: "batch" },
};

/** Counts a request by what its response means, which a status alone doesn't say. A broken response counts as none. */
export async function countedRequest<Judged extends { verdict: Verdict | null }>(
  { provider, kind }: { provider: Provider; kind: RequestKind },
  request: Promise<JsonResponse>,
  judge: (response: JsonResponse) => Judged,
): Promise<Judged & { response: JsonResponse }> {
  let outcome = "failed";
  try {
    const response = await request;
    const judged = judge(response);
    outcome = isThrottled(judged.verdict) ? "throttled" : outcomeOf(response.status);
    return { ...judged, response };
  } finally {
    meters()?.providerRequest({ provider, kind: kinds[kind], outcome });
  }
}

function isThrottled(verdict: Verdict | null): boolean {
  return verdict === "wait_mailbox" || verdict === "wait_service";
}

/** Counts the requests of a `fetch` by the status of their responses. */
export function countedFetch(
  fetch: EgressFetch,
  provider: Provider,
  kindOf: (method: string) => ProviderRequestKind,
): EgressFetch {
  return async (url, init) => {
    const count = (outcome: string) => meters()?.providerRequest({ provider, kind: kindOf(init.method), outcome });
    try {
      const response = await fetch(url, init);
      count(outcomeOf(response.status));
      return response;
    } catch (error) {
      count("failed");
      throw error;
    }
  };
}

const TOO_MANY_REQUESTS = 429;

function outcomeOf(status: number): string {
  return status === TOO_MANY_REQUESTS ? "throttled" : `${Math.floor(status / 100)}xx`;
}
