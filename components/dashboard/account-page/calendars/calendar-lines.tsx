import { SkippedEvents } from "@/components/dashboard/account-page/calendars/skipped-events";
import { CalendarReadingLine } from "@/components/dashboard/account-page/timeline/readings";
import { calendarsPath } from "@/components/dashboard/address/paths";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { Tag } from "@/components/ui/chip";
import { classes } from "@/components/ui/classes";
import { Id } from "@/components/ui/id";
import { Aside, Line, Lines } from "@/components/ui/lines";
import { counted } from "@/components/ui/number";
import type { AccountCalendars, CountedCalendar } from "@/server/services/staff/accounts/calendars/shapes";

interface CalendarLinesProps {
  of: AccountCalendars;
  /** The calendar whose day is shown below. */
  chosen: string | undefined;
  now: number;
}

/** Lists the calendars with their number of events, and when and how they are read. */
export function CalendarLines({ of: { account, profiles, calendars }, chosen, now }: CalendarLinesProps) {
  if (calendars.length === 0) return <p className="text-13 text-faint">No calendars.</p>;
  return (
    <Lines>
      {calendars.map((calendar) => {
        const profile = profiles.find(({ id }) => id === calendar.profileId);
        return (
          <Line
            key={calendar.id}
            actions={
              !calendar.deleted && (
                <DetailLink href={`${calendarsPath(account.id)}?${new URLSearchParams({ calendar: calendar.id })}#day`}>
                  {calendar.id === chosen ? "Today" : "Show today"}
                </DetailLink>
              )
            }
          >
            <Name calendar={calendar} />
            <Aside>
              <span className="text-ink">{counted(calendar.events, "event")}</span>
              {profiles.length > 1 && <span>{profile?.name}</span>}
              {calendar.tzid && <span>{calendar.tzid}</span>}
              <Id id={calendar.id} />
            </Aside>
            {!calendar.deleted && profile && profile.provider !== "hosted" && (
              <CalendarReadingLine calendar={calendar} profile={profile} now={now} />
            )}
            <SkippedEvents of={calendar.skipped} now={now} />
          </Line>
        );
      })}
    </Lines>
  );
}

function Name({ calendar: { name, primary, readonly, deleted } }: { calendar: CountedCalendar }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className={classes(deleted && "text-faint line-through")}>{name}</span>
      {primary && <Tag>primary</Tag>}
      {readonly && <Tag>read-only</Tag>}
      {deleted && <Tag>deleted</Tag>}
    </span>
  );
}
