import type { ReactNode } from "react";
import { accountPath } from "@/components/dashboard/address/paths";
import { stateWords } from "@/components/dashboard/deliveries/words";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { eventWords } from "@/components/dashboard/requests/words";
import { Id } from "@/components/ui/id";
import { State } from "@/components/ui/state";
import { isRead } from "@/server/domain/endpoints";
import type { CausedEvent, RequestDetail } from "@/server/services/staff/requests/shapes";

/** Shows what the request changed, as far as it can still be seen. Every line is a link. */
export function CausedParts({ request }: { request: RequestDetail }) {
  const { deliveries, events, channel, accountId } = request.caused;
  const isEmpty = deliveries.length + events.length === 0 && !channel && !accountId;
  return (
    <ul className="-mx-6 text-13 max-sm:-mx-4">
      {isEmpty && <li className="px-6 text-faint max-sm:px-4">{whyNothing(request)}</li>}
      {events.map((event) => (
        <EventLine key={event.eventId} event={event} accountId={request.accountId} />
      ))}
      {channel && (
        <Line state={<State tone={channel.closedAt ? "off" : "good"}>{channel.closedAt ? "Closed" : "Open"}</State>}>
          Channel <Id id={channel.id} /> <span className="text-faint">· </span>
          <DetailLink href={`/dashboard/deliveries?channel=${channel.id}`}>View deliveries</DetailLink>
        </Line>
      )}
      {deliveries.map(({ id, type, state }) => (
        <Line key={id} state={<State tone={stateWords[state].tone}>{stateWords[state].word}</State>}>
          <DetailLink href={`/dashboard/deliveries?open=${id}`}>Delivery</DetailLink> ({type}) <Id id={id} />
        </Line>
      ))}
      {accountId && (
        <Line>
          <DetailLink href={accountPath(accountId)}>Account</DetailLink> <Id id={accountId} />
        </Line>
      )}
      {isWrite(request) && request.accountId && (
        <Line>
          <DetailLink href={deliveriesAfter(request.accountId, request.at)}>
            Deliveries of this account in the next 2 minutes
          </DetailLink>
        </Line>
      )}
    </ul>
  );
}

function EventLine({ event, accountId }: { event: CausedEvent; accountId: string | null }) {
  const { tone, word } = eventWords[event.state];
  const isStuck = event.state === "waiting" || event.state === "refused";
  return (
    <Line state={<State tone={tone}>{word}</State>}>
      Event <Id id={event.eventId} /> in <Id id={event.calendarId} /> <span className="text-faint">· </span>
      <DetailLink href={`/dashboard/requests?id=${event.calendarId}`}>Requests for this calendar</DetailLink>
      {event.reason && <span className="block wrap-anywhere">Provider error: {event.reason}</span>}
      {isStuck && accountId && (
        <span className="block">
          <DetailLink href={accountPath(accountId)}>View failed writes</DetailLink>
        </span>
      )}
    </Line>
  );
}

function Line({ state, children }: { state?: ReactNode; children: ReactNode }) {
  return (
    <li className="flex flex-wrap justify-between gap-x-4 border-t px-6 py-1.5 first:border-t-0 max-sm:px-4">
      <span className="min-w-0 wrap-anywhere">{children}</span>
      {state}
    </li>
  );
}

function isWrite(request: RequestDetail): boolean {
  return request.status < 300 && !isRead(request);
}

function whyNothing(request: RequestDetail): string {
  if (request.status >= 500)
    return "Failed with an internal error. Nothing was changed, or the change is no longer visible.";
  if (request.status >= 400) return "Rejected. Nothing was changed.";
  return request.status < 300 && isRead(request)
    ? "Read only. Nothing was changed."
    : "No changes are visible anymore.";
}

const AFTER_MS = 120_000;

/**
 * Links to the deliveries after a request. Changes are notified within seconds, but a provider takes a little longer to
 * confirm a write.
 */
function deliveriesAfter(account: string, iso: string): string {
  const at = Date.parse(iso);
  const text = (ms: number) => new Date(ms).toISOString().slice(0, 19);
  return `/dashboard/deliveries?${new URLSearchParams({ account, from: text(at), to: text(at + AFTER_MS) })}`;
}
