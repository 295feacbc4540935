import { Aside } from "@/components/ui/lines";
import { counted } from "@/components/ui/number";
import { Time } from "@/components/ui/time";
import type { SkippedEvents as Skipped } from "@/server/services/staff/accounts/shapes";

interface SkippedEventsProps {
  of: Skipped;
  now: number;
}

/** Lists the events of a calendar that could not be read, by name, with the reasons. */
export function SkippedEvents({ of: { count, events }, now }: SkippedEventsProps) {
  if (count === 0) return null;
  return (
    <details className="text-12">
      <summary className="cursor-pointer">{counted(count, "event")} couldn’t be read</summary>
      <ul className="mt-1 grid gap-1 pl-4">
        {events.map(({ externalId, name, reason, readAt }) => (
          <li key={externalId}>
            <span title={externalId} className="font-mono">
              {name}
            </span>
            : {reason}
            <Aside>
              <span>
                read <Time at={new Date(readAt).toISOString()} now={now} />
              </span>
            </Aside>
          </li>
        ))}
      </ul>
      {count > events.length && <p className="mt-1 pl-4 text-faint">The last {events.length} are listed.</p>}
    </details>
  );
}
