import { Figure, Figures } from "@/components/ui/figure";
import { counted, formatCount, formatDuration, formatShare } from "@/components/ui/number";
import { Time } from "@/components/ui/time";
import type { EndpointDetail } from "@/server/services/staff/endpoints/shapes";

/** Shows how the attempts of the last day went. */
export function EndpointFigures({ endpoint, now }: { endpoint: EndpointDetail; now: number }) {
  const { attempts24h, successRate24h, p50Ms, p95Ms, consecutiveFailures, failingSince, oldestPendingAt } = endpoint;
  return (
    <Figures>
      <Figure name="Success, 24 h" note={counted(attempts24h, "attempt")}>
        {formatShare(successRate24h)}
      </Figure>
      <Figure name="Response time, p50" note={`p95 ${formatDuration(p95Ms)}`}>
        {formatDuration(p50Ms)}
      </Figure>
      <Figure
        name="Consecutive failures"
        tone={endpoint.state === "failing" ? "bad" : undefined}
        note={
          failingSince && (
            <span>
              since <Time at={failingSince} now={now} />
            </span>
          )
        }
      >
        {formatCount(consecutiveFailures)}
      </Figure>
      <Figure name="Oldest pending">{oldestPendingAt ? <Time at={oldestPendingAt} now={now} /> : "–"}</Figure>
    </Figures>
  );
}
