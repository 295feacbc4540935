import type { ReactNode } from "react";
import { AccountFacts } from "@/components/dashboard/account-page/overview/account-facts";
import { Channels } from "@/components/dashboard/account-page/overview/channels";
import { Bookings } from "@/components/dashboard/accounts/bookings";
import { Calendars } from "@/components/dashboard/accounts/calendars";
import { FailedWrites } from "@/components/dashboard/accounts/failed-writes";
import { LiveAccount } from "@/components/dashboard/accounts/live-account";
import { Profiles } from "@/components/dashboard/accounts/profiles";
import { calendarsPath } from "@/components/dashboard/address/paths";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { Section } from "@/components/ui/facts";
import { counted, formatCount } from "@/components/ui/number";
import type { AccountDetail } from "@/server/services/staff/accounts/shapes";

interface AccountOverviewProps {
  account: AccountDetail;
  /** Almanac's address for browsers. */
  appUrl: string;
  now: number;
  notes: ReactNode;
  recentDeliveries: ReactNode;
}

/** Shows an account: first whether its calendars are read and written, then what was sent about it. */
export function AccountOverview({ account, appUrl, now, notes, recentDeliveries }: AccountOverviewProps) {
  const { profiles, calendars, channels, failedWrites, waitingWrites } = account;
  const kept = calendars.filter(({ deleted }) => !deleted);
  const feeds = kept.reduce((sum, calendar) => sum + calendar.feeds.length, 0);
  return (
    <>
      <LiveAccount id={account.id} seen={account} />
      <div className="px-6 py-4 max-sm:px-4">
        <AccountFacts account={account} now={now} />
      </div>
      <Section level={2} title="Profiles" aside={formatCount(profiles.length)}>
        <Profiles profiles={profiles} applicationName={account.applicationName} appUrl={appUrl} now={now} />
      </Section>
      <Section level={2} title="Failed writes" aside={`${formatCount(waitingWrites)} pending`}>
        <FailedWrites writes={failedWrites} profiles={profiles} now={now} />
      </Section>
      {notes}
      <Section level={2} title="Channels" aside={`${formatCount(account.openChannels)} open`}>
        <Channels channels={channels} now={now} />
      </Section>
      {recentDeliveries}
      <Section
        level={2}
        title="Calendars and feeds"
        aside={
          <span className="flex flex-wrap justify-end gap-x-3">
            <span>
              {counted(kept.length, "calendar")}, {counted(feeds, "feed")}
            </span>
            <DetailLink href={calendarsPath(account.id)}>Events and syncs</DetailLink>
          </span>
        }
      >
        <Calendars calendars={calendars} profiles={profiles} now={now} />
      </Section>
      <Section level={2} title="Bookings" aside={formatCount(account.bookings.length)}>
        <Bookings bookings={account.bookings} accountId={account.id} now={now} />
      </Section>
    </>
  );
}
