import { address, type Params } from "@/components/dashboard/address/address";
import { narrowed } from "@/components/dashboard/address/narrowed";
import { CaldavServers } from "@/components/dashboard/applications/caldav-servers";
import { ClientSecrets } from "@/components/dashboard/applications/client-secrets";
import { EditApplication } from "@/components/dashboard/applications/edit-application";
import { RedirectUris } from "@/components/dashboard/applications/redirect-uris";
import { Traffic } from "@/components/dashboard/applications/traffic";
import { APPLICATIONS, planWords, requestsOf } from "@/components/dashboard/applications/words";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { Panel } from "@/components/dashboard/panel/panel";
import { Tag } from "@/components/ui/chip";
import { Fact, Facts, Section } from "@/components/ui/facts";
import { Id } from "@/components/ui/id";
import { Count, formatCount } from "@/components/ui/number";
import { FullTime } from "@/components/ui/time";
import type { ApplicationDetail } from "@/server/services/staff/applications/shapes";

interface ApplicationPanelProps {
  application: ApplicationDetail;
  isAdmin: boolean;
  params: Params;
  now: number;
}

/** An application: its traffic, redirect URIs, CalDAV servers and client secrets. */
export function ApplicationPanel({ application, isAdmin, params, now }: ApplicationPanelProps) {
  const { id, name, plan, compatibilityMode, redirectUris, caldavServers, secrets, traffic } = application;
  return (
    <Panel
      closeHref={address(APPLICATIONS, params, { open: null })}
      title={name}
      under={
        <>
          <Tag>{planWords[plan]}</Tag>
          {compatibilityMode && <Tag>Compatibility mode</Tag>}
        </>
      }
      actions={isAdmin && <EditApplication application={{ id, name, plan, compatibilityMode }} />}
    >
      <div className="px-6 py-4 max-sm:px-4">
        <ApplicationFacts application={application} now={now} />
      </div>
      <Section title="Traffic" aside={`${formatCount(requestsOf(traffic))} requests in the last 24 hours`}>
        <Traffic traffic={traffic} now={now} />
      </Section>
      <Section title="Redirect URIs" aside={formatCount(redirectUris.length)}>
        <RedirectUris id={id} uris={redirectUris} isAdmin={isAdmin} now={now} />
      </Section>
      <Section title="CalDAV servers" aside={formatCount(caldavServers.length)}>
        <CaldavServers id={id} servers={caldavServers} isAdmin={isAdmin} now={now} />
      </Section>
      <Section title="Client secrets">
        <ClientSecrets id={id} secrets={secrets} isAdmin={isAdmin} now={now} />
      </Section>
    </Panel>
  );
}

function ApplicationFacts({ application, now }: { application: ApplicationDetail; now: number }) {
  const { id, clientId, accounts, createdAt } = application;
  const its = (page: string) => narrowed(`/dashboard/${page}`, "application", id);
  return (
    <Facts>
      <Fact name="Client ID">
        <Id id={clientId} isWhole />
      </Fact>
      <Fact name="ID">
        <Id id={id} isWhole />
      </Fact>
      <Fact name="Accounts">
        <DetailLink href={its("accounts")}>
          <Count count={accounts} /> active
        </DetailLink>
      </Fact>
      <Fact name="Activity">
        <DetailLink href={its("deliveries")}>Deliveries</DetailLink> <span className="text-faint">· </span>
        <DetailLink href={its("requests")}>Requests</DetailLink>
      </Fact>
      <Fact name="Registered">
        <FullTime at={createdAt} now={now} />
      </Fact>
    </Facts>
  );
}
