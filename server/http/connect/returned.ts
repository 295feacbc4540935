import { connectApiFor, noteApplication } from "@/server/http/connect/caller";
import { choicePage, offersFor } from "@/server/http/connect/form-page";
import { backLink, endedPage } from "@/server/http/connect/links";
import { connectedOrNot, noteDown } from "@/server/http/connect/outcome";
import type { ReturnTrouble } from "@/server/http/connect/screen";
import type { PageOrRedirect } from "@/server/http/connect/shown-page";
import type { Exchange } from "@/server/http/exchange";

/**
 * Serves GET /oauth/callback/{provider}: a user who is back from the provider goes on to the application, or reads why
 * they are not connected.
 */
export async function returnedFromProvider(exchange: Exchange): Promise<PageOrRedirect> {
  const { api } = connectApiFor(exchange);
  const { pathname, searchParams: query } = exchange.url;
  const found = await api.finishOAuth({ path: pathname.slice(pathname.lastIndexOf("/") + 1), query });
  noteApplication(exchange, found);
  if (found.kind !== "open") return endedPage(found);
  const { provider, outcome } = found;
  const again = (trouble: ReturnTrouble["trouble"]) =>
    choicePage({ ...found, offers: offersFor(found), trouble: { provider, trouble } });
  switch (outcome.kind) {
    case "denied":
      return { to: backLink(found.request, "cancelled"), error: "access_denied" };
    case "down":
      noteDown(exchange, provider, outcome.detail);
      return again("down");
    case "missing_scope":
    case "expired":
    case "used":
    case "wrong_account":
    case "admin_consent":
    case "blocked":
    case "no_calendars":
    case "no_mailbox":
      return again(outcome.kind);
    default:
      return connectedOrNot(exchange, found, outcome);
  }
}
