import { cache } from "react";
import { ofPage, reading } from "@/app/dashboard/(staff)/reading";
import { shownZone } from "@/app/dashboard/(staff)/shown-zone";
import { EventFacts } from "@/components/dashboard/event-page/event-facts";
import { EventSteps } from "@/components/dashboard/event-page/event-steps";
import { EventText } from "@/components/dashboard/event-page/event-text";
import { eventState } from "@/components/dashboard/event-page/words";
import { MissingThing } from "@/components/dashboard/missing-thing";
import { PageHead } from "@/components/dashboard/page-head";
import { Section } from "@/components/ui/facts";
import { State } from "@/components/ui/state";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

interface EventPageProps {
  params: Promise<{ uid: string }>;
}

/** Cached, because the page and its status both need it. */
const eventOf = cache(async (id: string) => {
  const { api } = await staffPage();
  return await reading(api.events.get({ id }));
});

export async function generateMetadata({ params }: EventPageProps) {
  return { title: ofPage(await eventOf((await params).uid)) ? "Event" : "Event not found" };
}

export default async function EventPage({ params }: EventPageProps) {
  const { operator } = await staffPage();
  const { value: event, fault } = await eventOf((await params).uid);
  if (!event) return <MissingThing thing="event" fault={fault} />;
  const { tone, word } = eventState(event);
  const zone = await shownZone();
  return (
    <>
      <PageHead
        title={<span className="wrap-anywhere">{event.eventId ?? "Event created by others"}</span>}
        count={
          <span className="text-13">
            <State tone={tone}>{word}</State>
          </span>
        }
      />
      <Section level={2} title="Event">
        <EventFacts event={event} now={clock().now()} />
      </Section>
      {operator.role === "admin" && (
        <Section level={2} title="Text">
          <EventText key={event.id} id={event.id} />
        </Section>
      )}
      <Section level={2} title="What happened" aside={event.isCut && "Only the latest of many are shown"}>
        <div className="-mx-6 -mb-4 max-sm:-mx-4">
          <EventSteps event={event} zone={zone} />
        </div>
      </Section>
    </>
  );
}
