import { type AccountParams, titled } from "@/app/dashboard/(staff)/accounts/[id]/account";
import { reading } from "@/app/dashboard/(staff)/reading";
import { CalendarLines } from "@/components/dashboard/account-page/calendars/calendar-lines";
import { DayEvents } from "@/components/dashboard/account-page/calendars/day-events";
import { DayLinks } from "@/components/dashboard/account-page/calendars/day-links";
import { FailedWrites } from "@/components/dashboard/accounts/failed-writes";
import { firstOf, type Params } from "@/components/dashboard/address/address";
import { Section } from "@/components/ui/facts";
import { counted } from "@/components/ui/number";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

export const generateMetadata = titled("Calendars");

export default async function AccountCalendars({
  params,
  searchParams,
}: AccountParams & { searchParams: Promise<Params> }) {
  const { api, operator } = await staffPage();
  const { id } = await params;
  const query = await searchParams;
  const { value: shown } = await reading(api.accounts.calendars({ id }));
  if (!shown) return null; // the layout says so
  const { account, profiles, calendars, writes, waitingWrites } = shown;
  const kept = calendars.filter(({ deleted }) => !deleted);
  const named = firstOf(query, "calendar");
  const calendar = kept.find((one) => one.id === named) ?? kept.find(({ primary }) => primary) ?? kept[0];
  const day = calendar && (await reading(api.accounts.day({ calendarId: calendar.id, day: firstOf(query, "day") })));
  const now = clock().now();
  const events = kept.reduce((sum, one) => sum + one.events, 0);
  return (
    <>
      <div className="-mt-px">
        <Section level={2} title="Calendars" aside={`${counted(kept.length, "calendar")}, ${counted(events, "event")}`}>
          <CalendarLines of={shown} chosen={calendar?.id} now={now} />
        </Section>
      </div>
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
        <FailedWrites writes={writes} profiles={profiles} now={now} nothing="No pending or rejected writes." />
      </Section>
    </>
  );
}
