import { cache } from "react";
import { ofPage, reading } from "@/app/dashboard/(staff)/reading";
import { shownZone } from "@/app/dashboard/(staff)/shown-zone";
import { AccountHead } from "@/components/dashboard/account-page/account-head";
import { ChannelLines } from "@/components/dashboard/account-page/timeline/channel-lines";
import { Findings } from "@/components/dashboard/account-page/timeline/findings";
import { Readings } from "@/components/dashboard/account-page/timeline/readings";
import { Steps } from "@/components/dashboard/account-page/timeline/steps";
import { WhenForm } from "@/components/dashboard/account-page/timeline/when-form";
import { firstOf, type Params } from "@/components/dashboard/address/address";
import { timelinePath, WHY } from "@/components/dashboard/address/paths";
import { asUtc } from "@/components/dashboard/address/time-range";
import { MissingThing } from "@/components/dashboard/missing-thing";
import { Section } from "@/components/ui/facts";
import { ErrorState } from "@/components/ui/notice";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";
import type { StaffCaller } from "@/server/services/staff/api";

type Input = Parameters<StaffCaller["accounts"]["timeline"]>[0];

interface TimelinePageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<Params>;
}

/** Cached, because the page and its status both need it. */
const timelineOf = cache(async (id: string, around?: string, minutes?: string) => {
  const { api } = await staffPage();
  return await reading(api.accounts.timeline({ id, around, minutes } as Input));
});

/** Defaults to the last two hours: the question why usually comes at once. */
function timeIn(query: Params): { around?: string; minutes: string } {
  const around = asUtc(firstOf(query, "around"));
  return { around, minutes: firstOf(query, "minutes") ?? (around === undefined ? "120" : "30") };
}

export async function generateMetadata({ params, searchParams }: TimelinePageProps) {
  const { id } = await params;
  const { around, minutes } = timeIn(await searchParams);
  const { value } = await timelineOf(id, around, minutes);
  // The account may exist, and only the time be invalid.
  return { title: value || ofPage(await timelineOf(id)) ? WHY : "Account not found" };
}

export default async function TimelinePage({ params, searchParams }: TimelinePageProps) {
  const { id } = await params;
  const { around, minutes } = timeIn(await searchParams);
  const { value: timeline, fault } = await timelineOf(id, around, minutes);
  const now = clock().now();
  if (!timeline) {
    const usual = await timelineOf(id);
    if (!usual.value) return <MissingThing thing="account" fault={usual.fault} />;
    return (
      <>
        <AccountHead account={usual.value.account} here="timeline" />
        <WhenForm path={timelinePath(id)} around={new Date(now).toISOString()} minutes="30" />
        <ErrorState title="This time can’t be read">{fault}</ErrorState>
      </>
    );
  }
  const zone = await shownZone();
  return (
    <>
      <AccountHead account={timeline.account} here="timeline" />
      <WhenForm path={timelinePath(id)} around={around ?? new Date(now).toISOString()} minutes={minutes} />
      <Findings timeline={timeline} zone={zone} />
      <Section level={2} title="What happened" aside={timeline.isCut && "Only the first of many are shown"}>
        <div className="-mx-6 -mb-4 max-sm:-mx-4">
          <Steps timeline={timeline} zone={zone} />
        </div>
      </Section>
      <Section level={2} title="How changes are found">
        <Readings profiles={timeline.profiles} calendars={timeline.calendars} now={now} />
      </Section>
      <Section level={2} title="Channels">
        <ChannelLines timeline={timeline} now={now} />
      </Section>
    </>
  );
}
