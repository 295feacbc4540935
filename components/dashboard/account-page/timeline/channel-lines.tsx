import { calendarWord } from "@/components/dashboard/account-page/timeline/step-words";
import { closerWord } from "@/components/dashboard/accounts/words";
import { endpointPath } from "@/components/dashboard/address/paths";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { Id } from "@/components/ui/id";
import { Aside, Line, Lines } from "@/components/ui/lines";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { Timeline } from "@/server/services/staff/accounts/timeline/shapes";

/** Lists the account's channels with what they let through. */
export function ChannelLines({ timeline, now }: { timeline: Timeline; now: number }) {
  const { channels } = timeline;
  if (channels.length === 0) return <p className="text-13 text-faint">No channels.</p>;
  return (
    <Lines>
      {channels.map(({ id, endpoint, calendarIds, onlyManaged, openedAt, pausedAt, closedAt, closedBy }) => (
        <Line key={id} actions={<DetailLink href={endpointPath(id)}>Open endpoint</DetailLink>}>
          <span className="font-mono text-12">{endpoint}</span>
          <Aside>
            <ChannelState closedAt={closedAt} pausedAt={pausedAt} />
            <Id id={id} />
            <span>
              created <Time at={iso(openedAt)} now={now} />
            </span>
            {closedAt !== null && (
              <span>
                {closerWord(closedBy)} <Time at={iso(closedAt)} now={now} />
              </span>
            )}
          </Aside>
          <p className="text-12 text-faint">{filterWords(calendarIds, onlyManaged, timeline)}</p>
        </Line>
      ))}
    </Lines>
  );
}

function ChannelState({ closedAt, pausedAt }: { closedAt: number | null; pausedAt: number | null }) {
  if (closedAt !== null) return <State tone="off">Closed</State>;
  return pausedAt === null ? <State tone="good">Open</State> : <State tone="wait">Paused</State>;
}

function filterWords(calendarIds: string[] | null, onlyManaged: boolean, timeline: Timeline): string {
  const events = onlyManaged ? "only events that the application created (only_managed)" : "all events";
  if (calendarIds === null) return `Filters: all calendars, ${events}.`;
  const names = calendarIds.map((id) => calendarWord(id, timeline));
  return `Filters: ${names.length === 0 ? "no calendar" : names.join(", ")} (calendar_ids), ${events}.`;
}

const iso = (ms: number) => new Date(ms).toISOString();
