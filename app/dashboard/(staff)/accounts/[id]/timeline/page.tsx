import { type AccountParams, titled } from "@/app/dashboard/(staff)/accounts/[id]/account";
import { accountOf } from "@/app/dashboard/(staff)/accounts/open-account";
import { reading } from "@/app/dashboard/(staff)/reading";
import { shownZone } from "@/app/dashboard/(staff)/shown-zone";
import { ChannelLines } from "@/components/dashboard/account-page/timeline/channel-lines";
import { Findings } from "@/components/dashboard/account-page/timeline/findings";
import { Readings } from "@/components/dashboard/account-page/timeline/readings";
import { Steps } from "@/components/dashboard/account-page/timeline/steps";
import { WhenForm } from "@/components/dashboard/account-page/timeline/when-form";
import { firstOf, type Params } from "@/components/dashboard/address/address";
import { timelinePath } from "@/components/dashboard/address/paths";
import { asUtc } from "@/components/dashboard/address/time-range";
import { Section } from "@/components/ui/facts";
import { ErrorState } from "@/components/ui/notice";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";
import type { StaffCaller } from "@/server/services/staff/api";

type Input = Parameters<StaffCaller["accounts"]["timeline"]>[0];

export const generateMetadata = titled("Timeline");

/** Defaults to the last two hours: the question why usually comes at once. */
function timeIn(query: Params): { around?: string; minutes: string } {
  const around = asUtc(firstOf(query, "around"));
  return { around, minutes: firstOf(query, "minutes") ?? (around === undefined ? "120" : "30") };
}

export default async function AccountTimeline({
  params,
  searchParams,
}: AccountParams & { searchParams: Promise<Params> }) {
  const { api } = await staffPage();
  const { id } = await params;
  const { around, minutes } = timeIn(await searchParams);
  const { value: timeline, fault } = await reading(api.accounts.timeline({ id, around, minutes } as Input));
  const now = clock().now();
  if (!timeline) {
    if (!(await accountOf(id)).value) return null; // the layout says so
    return (
      <>
        <WhenForm path={timelinePath(id)} around={new Date(now).toISOString()} minutes="30" />
        <ErrorState title="Invalid time">{fault}</ErrorState>
      </>
    );
  }
  const zone = await shownZone();
  return (
    <>
      <WhenForm path={timelinePath(id)} around={around ?? new Date(now).toISOString()} minutes={minutes} />
      <Findings timeline={timeline} zone={zone} />
      <Section level={2} title="What happened" aside={timeline.isCut && "Only the first entries are shown"}>
        <div className="-mx-6 -mb-4 max-sm:-mx-4">
          <Steps timeline={timeline} zone={zone} />
        </div>
      </Section>
      <Section level={2} title="Sync">
        <Readings profiles={timeline.profiles} calendars={timeline.calendars} now={now} />
      </Section>
      <Section level={2} title="Channels">
        <ChannelLines timeline={timeline} now={now} />
      </Section>
    </>
  );
}
