import { errorWord } from "@/components/dashboard/deliveries/words";
import { Figure, Figures } from "@/components/ui/figure";
import { formatCount, formatShare } from "@/components/ui/number";
import type { Overview } from "@/server/services/staff/overview/shapes";

/** Shows the service in figures. Each links to what it counts. */
export function OverviewFigures({ overview }: { overview: Overview }) {
  const { requestsPerMinute, errorRate, throttledApplications, deliveries, mailboxes } = overview;
  const requests = requestsPerMinute.reduce((sum, { count }) => sum + count, 0);
  const errors = requestsPerMinute.reduce((sum, minute) => sum + minute.errors, 0);
  const throttled = throttledApplications.length;
  return (
    <Figures>
      <Figure name="Requests" note="in the last hour" href="/dashboard/requests?range=1h">
        {formatCount(requests)}
      </Figure>
      <Figure
        name="Error rate"
        note={`${formatCount(errors)} of ${formatCount(requests)} requests`}
        href="/dashboard/requests/errors?range=1h"
      >
        {formatShare(requests === 0 ? null : errorRate)}
      </Figure>
      <Figure
        name="Rate-limited"
        tone={throttled > 0 ? "wait" : "off"}
        note={countWord(throttled, "application")}
        href="/dashboard/requests?status=429&range=1h"
      >
        {formatCount(throttled)}
      </Figure>
      <Figure name="Queued" note="waiting for an attempt" href="/dashboard/deliveries?state=queued">
        {formatCount(deliveries.queued)}
      </Figure>
      <Figure
        name="Retrying"
        tone={deliveries.retrying > 0 ? "wait" : "off"}
        note={deliveries.lastError ? `last error: ${errorWord(deliveries.lastError)}` : "none"}
        href="/dashboard/deliveries?state=retrying"
      >
        {formatCount(deliveries.retrying)}
      </Figure>
      <Figure
        name="Late"
        tone={deliveries.late > 0 ? "wait" : "off"}
        note={deliveries.late > 0 ? "due for over 30 s" : "none late"}
        href="/dashboard/deliveries?late=true"
      >
        {formatCount(deliveries.late)}
      </Figure>
      <Figure
        name="Failed"
        tone={deliveries.failed > 0 ? "bad" : "off"}
        note={deliveries.failed > 0 ? "in the last 48 h" : "none in the last 48 h"}
        href={`/dashboard/deliveries?state=failed&from=${deliveries.failedSince.slice(0, "yyyy-mm-ddThh:mm".length)}`}
      >
        {formatCount(deliveries.failed)}
      </Figure>
      <Figure
        name="Disconnected"
        tone={mailboxes.disconnected > 0 ? "bad" : "off"}
        note={countWord(mailboxes.disconnected, "profile")}
        href="/dashboard/accounts?disconnected=true"
      >
        {formatCount(mailboxes.disconnected)}
      </Figure>
    </Figures>
  );
}

function countWord(count: number, thing: string): string {
  if (count === 0) return "none";
  return count === 1 ? thing : `${thing}s`;
}
