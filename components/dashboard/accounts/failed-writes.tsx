import { ActionButton } from "@/components/dashboard/accounts/action-button";
import { errorSentence } from "@/components/dashboard/accounts/words";
import { receiptState, stateWord } from "@/components/dashboard/accounts/write-words";
import { Id } from "@/components/ui/id";
import { Aside, Line, Lines } from "@/components/ui/lines";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { AccountProfile, FailedWrite } from "@/server/services/staff/accounts/shapes";

interface FailedWritesProps {
  writes: readonly FailedWrite[];
  profiles: readonly AccountProfile[];
  now: number;
  /** The text if there are none. */
  nothing?: string;
}

/**
 * Lists events that their provider does not have, and why. While the profile is disconnected no retry could succeed.
 */
export function FailedWrites({ writes, profiles, now, nothing = "No failed writes." }: FailedWritesProps) {
  if (writes.length === 0) return <p className="text-13 text-faint">{nothing}</p>;
  return (
    <Lines>
      {writes.map((write) => {
        const profile = profiles.find(({ id }) => id === write.profileId);
        return <WriteLine key={write.id} write={write} profile={profile} now={now} />;
      })}
    </Lines>
  );
}

function WriteLine({ write, profile, now }: { write: FailedWrite; profile?: AccountProfile; now: number }) {
  const isDisconnected = profile?.connected === false;
  const isRetryable = write.state !== "reverted" && !isDisconnected;
  return (
    <Line
      actions={
        isRetryable && (
          <ActionButton
            work={{ retryWrite: write.id }}
            verb="Retry now"
            busy="Retrying…"
            announcement="The write was queued for retry"
          />
        )
      }
    >
      <span className="flex flex-wrap items-center gap-x-3">
        <State tone={receiptState(write) === "refused" ? "bad" : "wait"}>{stateWord(write)}</State>
        {write.lastError && <span>{errorSentence(write.lastError, profile)}</span>}
      </span>
      <Aside>
        <span className="font-mono text-ink">{write.eventId ?? "event not created by the application"}</span>
        <span>
          receipt <code className="font-mono">{receiptState(write)}</code>
        </span>
        <span>{write.when}</span>
        {write.repeats && <span>{write.repeats}</span>}
        <Id id={write.calendarId} />
        <span>{write.attempts === 1 ? "1 attempt" : `${write.attempts} attempts`}</span>
        <span>
          written <Time at={write.createdAt} now={now} />
        </span>
        {write.dueAt && !isDisconnected && (
          <span>
            next attempt <Time at={write.dueAt} now={now} />
          </span>
        )}
      </Aside>
    </Line>
  );
}
