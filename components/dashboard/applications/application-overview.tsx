import { narrowed } from "@/components/dashboard/address/paths";
import { CaldavServers } from "@/components/dashboard/applications/caldav-servers";
import { OauthClients } from "@/components/dashboard/applications/oauth-clients";
import { RedirectUris } from "@/components/dashboard/applications/redirect-uris";
import { applicationPath } from "@/components/dashboard/applications/tabs";
import { Traffic } from "@/components/dashboard/applications/traffic";
import { requestsOf } from "@/components/dashboard/applications/words";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { Fact, Facts, Section } from "@/components/ui/facts";
import { Id } from "@/components/ui/id";
import { Count, counted, formatCount } from "@/components/ui/number";
import { FullTime } from "@/components/ui/time";
import type { ApplicationDetail } from "@/server/services/staff/applications/shapes";

interface ApplicationOverviewProps {
  application: ApplicationDetail;
  isAdmin: boolean;
  /** An admin, or one of its developers. */
  isOwner: boolean;
  now: number;
}

/** Shows an application: its ids, its traffic, its redirect URIs, its CalDAV servers and its OAuth clients. */
export function ApplicationOverview({ application, isAdmin, isOwner, now }: ApplicationOverviewProps) {
  const { id, redirectUris, caldavServers, oauthClients, traffic } = application;
  return (
    <>
      <div className="px-6 py-4 max-sm:px-4">
        <ApplicationFacts application={application} now={now} />
      </div>
      <Section title="Traffic" level={2} aside={`${counted(requestsOf(traffic), "request")} in the last 24 hours`}>
        <Traffic traffic={traffic} now={now} />
      </Section>
      <Section title="Redirect URIs" level={2} aside={formatCount(redirectUris.length)}>
        <RedirectUris id={id} uris={redirectUris} isOwner={isOwner} now={now} />
      </Section>
      <Section title="CalDAV servers" level={2} aside={formatCount(caldavServers.length)}>
        <CaldavServers id={id} servers={caldavServers} isAdmin={isAdmin} now={now} />
      </Section>
      <Section title="OAuth clients" level={2}>
        <OauthClients id={id} clients={oauthClients} isAdmin={isAdmin} now={now} />
      </Section>
    </>
  );
}

function ApplicationFacts({ application, now }: { application: ApplicationDetail; now: number }) {
  const { id, clientId, accounts, createdAt } = application;
  return (
    <Facts>
      <Fact name="Client ID">
        <Id id={clientId} isWhole action="Copy client ID" />
      </Fact>
      <Fact name="ID">
        <Id id={id} isWhole action="Copy application ID" />
      </Fact>
      <Fact name="Accounts">
        <DetailLink href={applicationPath(id, "accounts")}>
          <Count count={accounts} /> active
        </DetailLink>
      </Fact>
      <Fact name="Activity">
        <DetailLink
          href={narrowed("/dashboard/deliveries", "application", id)}
          action="View deliveries of the application"
        >
          Deliveries
        </DetailLink>{" "}
        <span className="text-faint">· </span>
        <DetailLink href={applicationPath(id, "requests")}>Requests</DetailLink>
      </Fact>
      <Fact name="Registered">
        <FullTime at={createdAt} now={now} />
      </Fact>
    </Facts>
  );
}
