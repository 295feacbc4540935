import { cache } from "react";
import { ofPage, reading } from "@/app/dashboard/(staff)/reading";
import { AccountHead } from "@/components/dashboard/account-page/account-head";
import { CalendarLines } from "@/components/dashboard/account-page/calendars/calendar-lines";
import { DayEvents } from "@/components/dashboard/account-page/calendars/day-events";
import { DayLinks } from "@/components/dashboard/account-page/calendars/day-links";
import { FailedWrites } from "@/components/dashboard/accounts/failed-writes";
import { Profiles } from "@/components/dashboard/accounts/profiles";
import { firstOf, type Params } from "@/components/dashboard/address/address";
import { MissingThing } from "@/components/dashboard/missing-thing";
import { Section } from "@/components/ui/facts";
import { counted } from "@/components/ui/number";
import { clock } from "@/server/clock";
import { env } from "@/server/env";
import { staffPage } from "@/server/http/staff/page";

interface CalendarsPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<Params>;
}

/** Cached, because the page and its status both need it. */
const calendarsOf = cache(async (id: string) => {
  const { api } = await staffPage();
  return await reading(api.accounts.calendars({ id }));
});

export async function generateMetadata({ params }: CalendarsPageProps) {
  return { title: ofPage(await calendarsOf((await params).id)) ? "Calendars" : "Account not found" };
}

export default async function CalendarsPage({ params, searchParams }: CalendarsPageProps) {
  const { api, operator } = await staffPage();
  const { id } = await params;
  const query = await searchParams;
  const { value: shown, fault } = await calendarsOf(id);
  if (!shown) return <MissingThing thing="account" fault={fault} />;
  const { account, profiles, calendars, writes, waitingWrites } = shown;
  const kept = calendars.filter(({ deleted }) => !deleted);
  const named = firstOf(query, "calendar");
  const calendar = kept.find((one) => one.id === named) ?? kept.find(({ primary }) => primary) ?? kept[0];
  const day = calendar && (await reading(api.accounts.day({ calendarId: calendar.id, day: firstOf(query, "day") })));
  const now = clock().now();
  const events = kept.reduce((sum, one) => sum + one.events, 0);
  return (
    <>
      <AccountHead account={account} here="calendars" />
      <Section level={2} title="Profiles" aside={counted(profiles.length, "profile")}>
        <Profiles profiles={profiles} applicationName={account.applicationName} appUrl={env().APP_URL} now={now} />
      </Section>
      <Section level={2} title="Calendars" aside={`${counted(kept.length, "calendar")}, ${counted(events, "event")}`}>
        <CalendarLines of={shown} chosen={calendar?.id} now={now} />
      </Section>
      {calendar && day && (
        <div id="day" className="scroll-mt-4">
          <Section
            level={2}
            title={day.value ? `${calendar.name}, ${day.value.day}, ${day.value.tzid}` : calendar.name}
            aside={day.value && <DayLinks accountId={account.id} day={day.value} />}
          >
            {day.value ? (
              <DayEvents key={`${calendar.id} ${day.value.day}`} day={day.value} isAdmin={operator.role === "admin"} />
            ) : (
              <p className="text-13 text-faint">{day.fault}</p>
            )}
          </Section>
        </div>
      )}
      <Section level={2} title="Writes to providers" aside={`${counted(waitingWrites, "write")} pending`}>
        <FailedWrites
          writes={writes}
          profiles={profiles}
          now={now}
          nothing="No write is waiting, and none was rejected."
        />
      </Section>
    </>
  );
}
