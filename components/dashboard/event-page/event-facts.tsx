import type { ReactNode } from "react";
import { accountName, providerWord } from "@/components/dashboard/accounts/words";
import { accountPath, dayPath, timelinePath } from "@/components/dashboard/address/paths";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { Fact, Facts } from "@/components/ui/facts";
import { Id } from "@/components/ui/id";
import { FullTime } from "@/components/ui/time";
import type { EventDetail } from "@/server/services/staff/events/shapes";

/** Shows what an event is without its texts, and what it belongs to. */
export function EventFacts({ event, now }: { event: EventDetail; now: number }) {
  const { account, calendar, createdAt, deletedAt, eventId, uid, when, repeats, day } = event;
  return (
    <Facts>
      <Fact name="When">
        {when}
        {repeats && <span className="text-faint"> · {repeats}</span>}
      </Fact>
      <Fact name="event_id">
        {eventId === null ? "None (created by others)" : <Id id={eventId} isWhole action="Copy event_id" />}
      </Fact>
      <Fact name="event_uid">
        <Id id={uid} isWhole action="Copy event_uid" />
      </Fact>
      <Fact name="Account">
        <Apart>
          <DetailLink href={accountPath(account.id)} action="Open account">
            {accountName(account)}
          </DetailLink>
          <DetailLink href={timelinePath(account.id)} action="Open timeline">
            Timeline
          </DetailLink>
        </Apart>
      </Fact>
      <Fact name="Calendar">
        <Apart>
          <DetailLink href={dayPath(account.id, { calendar: calendar.id, day })}>{calendar.name}</DetailLink>
          <span className="text-faint">{providerWord(event)}</span>
        </Apart>
      </Fact>
      <Fact name="Application">
        <DetailLink href={`/dashboard/applications/${account.applicationId}`} action="Open application">
          {account.applicationName}
        </DetailLink>
      </Fact>
      <Fact name="Created">
        <FullTime at={new Date(createdAt).toISOString()} now={now} />
      </Fact>
      {deletedAt !== null && (
        <Fact name="Deleted">
          <FullTime at={new Date(deletedAt).toISOString()} now={now} />
        </Fact>
      )}
    </Facts>
  );
}

/** Puts links beside what is none, rather than into a sentence, where color alone would tell them. */
function Apart({ children }: { children: ReactNode }) {
  return <span className="flex flex-wrap gap-x-4">{children}</span>;
}
