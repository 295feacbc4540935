import { Feeds } from "@/components/dashboard/accounts/feeds";
import { Tag } from "@/components/ui/chip";
import { classes } from "@/components/ui/classes";
import { Id } from "@/components/ui/id";
import { Aside, Line, Lines } from "@/components/ui/lines";
import type { AccountCalendar, AccountProfile } from "@/server/services/staff/accounts/shapes";

interface CalendarsProps {
  calendars: readonly AccountCalendar[];
  profiles: readonly AccountProfile[];
  now: number;
}

/** Lists the calendars of all profiles with their feeds, deleted ones last. */
export function Calendars({ calendars, profiles, now }: CalendarsProps) {
  if (calendars.length === 0) return <p className="text-13 text-faint">No calendars.</p>;
  const nameOf = (id: string) => profiles.find((profile) => profile.id === id)?.name ?? id;
  return (
    <Lines>
      {calendars.map((calendar) => (
        <Line key={calendar.id}>
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className={classes(calendar.deleted && "text-faint line-through")}>{calendar.name}</span>
            {calendar.primary && <Tag>primary</Tag>}
            {calendar.readonly && <Tag>read-only</Tag>}
            {calendar.deleted && <Tag>deleted</Tag>}
          </span>
          <Aside>
            <Id id={calendar.id} />
            {profiles.length > 1 && <span>{nameOf(calendar.profileId)}</span>}
            {calendar.tzid && <span>{calendar.tzid}</span>}
          </Aside>
          <Feeds feeds={calendar.feeds} now={now} />
        </Line>
      ))}
    </Lines>
  );
}
