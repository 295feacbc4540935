"use client";

import { useState } from "react";
import { eventPath } from "@/components/dashboard/address/paths";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { staffClient } from "@/components/dashboard/staff-client";
import { useAction } from "@/components/dashboard/use-action";
import { Button } from "@/components/ui/button";
import { Fault } from "@/components/ui/fault";
import { Aside, Line, Lines } from "@/components/ui/lines";
import type { CalendarDay, DayEvent, EventTexts } from "@/server/services/staff/accounts/calendars/shapes";

interface DayEventsProps {
  day: CalendarDay;
  /** Admins may see event texts, which the audit trail records. */
  isAdmin: boolean;
}

/** Shows a day's events as times. Their texts stay hidden until an admin requests them. */
export function DayEvents({ day, isAdmin }: DayEventsProps) {
  const [texts, setTexts] = useState<EventTexts | null>(null);
  const action = useAction();
  const show = async () =>
    setTexts(await staffClient.accounts.showTexts.mutate({ calendarId: day.calendarId, day: day.day }));
  if (day.items.length === 0) return <p className="text-13 text-faint">No events on this day.</p>;
  return (
    <>
      {isAdmin && texts === null && (
        <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1">
          <Button disabled={action.isBusy} onClick={() => action.run(show, "Event text shown")}>
            {action.isBusy ? "Showing…" : "Show text"}
          </Button>
          <p className="text-12 text-faint">Recorded in the audit trail with your name.</p>
          <Fault>{action.fault}</Fault>
        </div>
      )}
      <Lines>
        {day.items.map((event) => (
          <EventLine key={event.uid} event={event} said={texts?.[event.uid]} />
        ))}
      </Lines>
      {day.more && <p className="mt-6 text-12 text-faint">Only the first {day.items.length} events are shown.</p>}
    </>
  );
}

function EventLine({ event, said }: { event: DayEvent; said: EventTexts[string] | undefined }) {
  const { when, freeBusy, isDeclined, repeats, eventId } = event;
  return (
    <Line>
      <span className="tnum flex flex-wrap items-baseline gap-x-4">
        <span>{when}</span>
        {said ? <span>{said.summary || "no title"}</span> : <span className="text-faint">text hidden</span>}
      </span>
      <Aside>
        <span>{freeBusy}</span>
        {isDeclined && <span>declined</span>}
        {repeats && <span>repeats</span>}
        <span>{eventId === null ? "created by others" : <span className="font-mono">{eventId}</span>}</span>
        <DetailLink href={eventPath(event.uid)}>View event</DetailLink>
        {said?.location && <span>{said.location}</span>}
      </Aside>
    </Line>
  );
}
