import { redirect } from "next/navigation";
import { shownZone } from "@/app/dashboard/(staff)/shown-zone";
import { MAINTENANCE } from "@/components/dashboard/maintenance/words";
import { NoApplications } from "@/components/dashboard/members/no-applications";
import { Background } from "@/components/dashboard/overview/background";
import { FailingEndpoints } from "@/components/dashboard/overview/failing-endpoints";
import { OverviewFigures } from "@/components/dashboard/overview/figures";
import { LiveOverview } from "@/components/dashboard/overview/live-overview";
import { RequestChart } from "@/components/dashboard/overview/request-chart";
import { ServiceState } from "@/components/dashboard/overview/service-state-line";
import { Throttled } from "@/components/dashboard/overview/throttled";
import { TroubledMailboxes } from "@/components/dashboard/overview/troubled-mailboxes";
import { PageHead } from "@/components/dashboard/page-head";
import { startPath } from "@/components/dashboard/shell/navigation";
import { LinkButton } from "@/components/ui/button";
import { Time } from "@/components/ui/time";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

export const metadata = { title: "Overview" };

export default async function OverviewPage() {
  const { api, operator } = await staffPage();
  const start = startPath(operator.applications);
  if (start !== "/dashboard") redirect(start);
  if (operator.applications?.length === 0) return <NoApplications isPage />;
  const overview = await api.overview.show();
  const now = clock().now();
  return (
    <>
      <PageHead
        title="Overview"
        count={
          <>
            Updated <Time at={new Date(now).toISOString()} now={now} />
          </>
        }
        actions={
          operator.role !== "developer" && (
            <>
              <LinkButton href="/dashboard/providers">Provider health</LinkButton>
              <LinkButton href={MAINTENANCE}>Maintenance</LinkButton>
            </>
          )
        }
      />
      <ServiceState overview={overview} now={now} />
      <FailingEndpoints failing={overview.failingEndpoints} now={now} />
      <TroubledMailboxes mailboxes={overview.mailboxes} now={now} />
      {overview.background && <Background background={overview.background} now={now} />}
      <OverviewFigures overview={overview} />
      <RequestChart minutes={overview.requestsPerMinute} zone={await shownZone()} />
      <Throttled applications={overview.throttledApplications} />
      <LiveOverview seen={overview} />
    </>
  );
}
