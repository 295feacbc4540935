import { Drawing } from "@/components/ui/drawing";
import { formatDuration } from "@/components/ui/number";
import { FullTime } from "@/components/ui/time";
import type { DeliveryDetail } from "@/server/services/staff/deliveries/shapes";

/** Shows where the delivery is in its schedule: one mark per scheduled attempt, and when the next one is due. */
export function Schedule({ delivery, now }: { delivery: DeliveryDetail; now: number }) {
  const { waits, state, nextAttemptAt } = delivery;
  const marks = Array.from({ length: waits.most }, (_, index) => ({
    x: index * 10 + 0.4,
    y: 0,
    width: 9.2,
    height: 4,
    look: index < waits.made ? markFill(delivery, index) : "fill-hairline",
    title: `Attempt ${index + 1}, ${index === 0 ? "immediately" : `after ${inWords(waits.scheduleMs[index - 1] ?? 0)}`}`,
  }));
  return (
    <div className="mb-3 grid gap-2 text-13">
      <Drawing width={waits.most * 10} height={4} marks={marks} className="h-1.5 w-full" />
      {state === "pending" && (
        <p>
          {delivery.underWay ? (
            "Attempt in progress."
          ) : nextAttemptAt ? (
            <>
              Next attempt <FullTime at={nextAttemptAt} now={now} />
            </>
          ) : (
            "No attempt scheduled."
          )}
          <span className="block text-faint">
            Gives up at <FullTime at={waits.givenUpAt} now={now} />
          </span>
        </p>
      )}
      {delivery.replayAsked && <p>Manual retry requested.</p>}
    </div>
  );
}

function markFill({ state, waits }: DeliveryDetail, index: number): string {
  const isLast = index === waits.made - 1;
  if (isLast && state === "delivered") return "fill-green";
  return isLast && state === "failed" ? "fill-red" : "fill-edge";
}

const HOUR_MS = 3_600_000;

function inWords(ms: number): string {
  return ms >= HOUR_MS ? `${ms / HOUR_MS} h` : formatDuration(ms);
}
