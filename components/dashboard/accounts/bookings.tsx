import { accountPath } from "@/components/dashboard/address/paths";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { Id } from "@/components/ui/id";
import { Aside, Line, Lines } from "@/components/ui/lines";
import { State, type Tone } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { AccountBooking } from "@/server/services/staff/accounts/shapes";

const states: Record<AccountBooking["state"], { tone: Tone; word: string }> = {
  held: { tone: "wait", word: "Held" },
  booked: { tone: "good", word: "Booked" },
  expired: { tone: "off", word: "Hold expired" },
  cancelled: { tone: "off", word: "Event deleted" },
};

interface BookingsProps {
  bookings: readonly AccountBooking[];
  accountId: string;
  now: number;
}

/** Lists the bookings in the account's calendars, each with the calendars whose time it takes. */
export function Bookings({ bookings, accountId, now }: BookingsProps) {
  if (bookings.length === 0) return <p className="text-13 text-faint">No bookings.</p>;
  return (
    <Lines>
      {bookings.map((booking) => (
        <Line key={booking.id}>
          <span className="flex flex-wrap items-center gap-x-3">
            <State tone={states[booking.state].tone}>{states[booking.state].word}</State>
            <span className="font-mono text-12">{booking.eventId}</span>
          </span>
          <Aside>
            <Id id={booking.id} />
            <span>in {booking.calendarName}</span>
            <span>
              created <Time at={booking.createdAt} now={now} />
            </span>
            {booking.heldUntil && (
              <span>
                {booking.state === "held" ? "ends" : "ended"} <Time at={booking.heldUntil} now={now} />
              </span>
            )}
          </Aside>
          <Aside>
            <span>takes time in</span>
            {booking.takes.map((calendar) => (
              <Taken key={calendar.id} calendar={calendar} accountId={accountId} />
            ))}
          </Aside>
        </Line>
      ))}
    </Lines>
  );
}

function Taken({ calendar, accountId }: { calendar: AccountBooking["takes"][number]; accountId: string }) {
  if (calendar.accountId === accountId) return <span className="text-ink">{calendar.name}</span>;
  return (
    <span>
      <span className="text-ink">{calendar.name}</span>{" "}
      <DetailLink href={accountPath(calendar.accountId)}>of another account</DetailLink>
    </span>
  );
}
