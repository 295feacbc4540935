import { DeedButton } from "@/components/dashboard/accounts/deed-button";
import { faultWord } from "@/components/dashboard/accounts/words";
import { Id } from "@/components/ui/id";
import { Aside, Line, Lines } from "@/components/ui/lines";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { FailedWrite } from "@/server/services/staff/accounts/shapes";

/** Events that their provider does not have, and why. */
export function FailedWrites({ writes, now }: { writes: readonly FailedWrite[]; now: number }) {
  if (writes.length === 0) return <p className="text-13 text-faint">None. Every event reached its provider.</p>;
  return (
    <Lines>
      {writes.map((write) => (
        <Line
          key={write.id}
          actions={
            write.undone ? null : (
              <DeedButton
                work={{ retryWrite: write.id }}
                verb="Retry now"
                busy="Asking …"
                said="The event is written once more"
              />
            )
          }
        >
          <span className="flex flex-wrap items-center gap-x-3">
            <State tone={write.refusedAt ? "bad" : "wait"}>{stateWord(write)}</State>
            {write.lastError && <span>{faultWord(write.lastError)}</span>}
          </span>
          <Aside>
            <span className="font-mono text-ink">{write.eventId ?? "an event that others made"}</span>
            <Id id={write.calendarId} />
            <span>{write.attempts === 1 ? "1 attempt" : `${write.attempts} attempts`}</span>
            <span>
              written <Time at={write.createdAt} now={now} />
            </span>
            {write.dueAt && (
              <span>
                due <Time at={write.dueAt} now={now} />
              </span>
            )}
          </Aside>
        </Line>
      ))}
    </Lines>
  );
}

/** Undone: reads say again what the provider has, so there is nothing left to send. */
function stateWord({ undone, givenUp, refusedAt }: FailedWrite): string {
  if (undone) return "Refused, and undone";
  if (givenUp) return "Given up";
  return refusedAt ? "Refused" : "Tried again";
}
