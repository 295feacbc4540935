import { calendarsPath } from "@/components/dashboard/address/paths";
import { LinkButton } from "@/components/ui/button";
import type { CalendarDay } from "@/server/services/staff/accounts/calendars/shapes";

const DAY_MS = 86_400_000;

/** Links to the days before and after. */
export function DayLinks({ accountId, day }: { accountId: string; day: CalendarDay }) {
  const href = (by: number) => {
    const other = new Date(Date.parse(`${day.day}T00:00:00Z`) + by * DAY_MS).toISOString().slice(0, 10);
    return `${calendarsPath(accountId)}?${new URLSearchParams({ calendar: day.calendarId, day: other })}#day`;
  };
  return (
    <span className="flex gap-2">
      <LinkButton href={href(-1)} scroll={false}>
        Previous day
      </LinkButton>
      <LinkButton href={href(1)} scroll={false}>
        Next day
      </LinkButton>
    </span>
  );
}
