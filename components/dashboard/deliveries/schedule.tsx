import { Drawing } from "@/components/ui/drawing";
import { formatDuration } from "@/components/ui/number";
import { FullTime } from "@/components/ui/time";
import type { DeliveryDetail, DeliverySchedule } from "@/server/services/staff/deliveries/shapes";

interface ScheduleProps {
  delivery: DeliveryDetail;
  now: number;
}

/** Shows where the delivery is in its schedule: one mark per scheduled attempt, and when the next one is due. */
export function Schedule({ delivery, now }: ScheduleProps) {
  const { waits, state } = delivery;
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
          {delivery.underWay ? "Attempt in progress." : <Next delivery={delivery} now={now} />}
          {waits.last && <Last last={waits.last} delivery={delivery} now={now} />}
        </p>
      )}
      {delivery.replayAsked && <p>Manual retry requested.</p>}
    </div>
  );
}

function Next({ delivery: { nextAttemptAt }, now }: ScheduleProps) {
  if (nextAttemptAt === null) return "No attempt scheduled.";
  return (
    <>
      Next attempt <FullTime at={nextAttemptAt} now={now} />
    </>
  );
}

interface LastProps extends ScheduleProps {
  last: NonNullable<DeliverySchedule["last"]>;
}

/** Says which attempt is the last one, and when: the tenth, or an earlier one 48 hours after creation. */
function Last({ last: { number, at }, delivery: { waits, underWay }, now }: LastProps) {
  const which = `(${number} of ${waits.most})`;
  const isNext = number === waits.made + (underWay ? 0 : 1);
  if (isNext) return <span className="block text-faint">This is the last attempt {which}.</span>;
  return (
    <span className="block text-faint">
      Last attempt {which} {at === waits.givenUpAt ? "at" : "around"} <FullTime at={at} now={now} />
      {at === waits.givenUpAt && ", 48 h after creation"}
    </span>
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
