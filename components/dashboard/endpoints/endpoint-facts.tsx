import { triggerWords } from "@/components/dashboard/accounts/trigger-words";
import { accountPath, timelinePath, WHY } from "@/components/dashboard/address/paths";
import { applicationPath } from "@/components/dashboard/applications/tabs";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { Fact, Facts } from "@/components/ui/facts";
import { Id } from "@/components/ui/id";
import { counted } from "@/components/ui/number";
import { FullTime } from "@/components/ui/time";
import type { EndpointDetail } from "@/server/services/staff/endpoints/shapes";

export function EndpointFacts({ endpoint, now }: { endpoint: EndpointDetail; now: number }) {
  const { id, callbackUrl, applicationId, applicationName, accountId, accountName, createdAt } = endpoint;
  return (
    <Facts>
      <Fact name="Callback URL">
        <span className="font-mono text-12">{callbackUrl}</span>
      </Fact>
      <Fact name={endpoint.isOfTrigger ? "Endpoint" : "Channel"}>
        <Id id={id} isWhole action="Copy channel ID" />
      </Fact>
      <Fact name="Application">
        <DetailLink href={applicationPath(applicationId)} action="Open application">
          {applicationName}
        </DetailLink>
      </Fact>
      <Fact name="Account">
        <DetailLink href={accountPath(accountId)} action="Open account">
          {accountName || accountId}
        </DetailLink>{" "}
        <span className="text-faint">· </span>
        <DetailLink href={timelinePath(accountId)} action="Open timeline">
          {WHY}
        </DetailLink>
      </Fact>
      {endpoint.isOfTrigger ? (
        <TriggerFacts trigger={endpoint.trigger} />
      ) : (
        <Fact name="Notified of">{filterWords(endpoint.filters)}</Fact>
      )}
      <Fact name="Created">
        <FullTime at={createdAt} now={now} />
      </Fact>
      {endpoint.closedAt && (
        <Fact name="Closed">
          <FullTime at={endpoint.closedAt} now={now} />
        </Fact>
      )}
    </Facts>
  );
}

function TriggerFacts({ trigger }: Pick<EndpointDetail, "trigger">) {
  if (!trigger) return <Fact name="Trigger">Deleted</Fact>;
  return (
    <>
      <Fact name="Trigger">
        <Id id={trigger.id} isWhole />
      </Fact>
      <Fact name="Fires">{triggerWords(trigger)}</Fact>
    </>
  );
}

function filterWords({ calendar_ids: calendars, only_managed: isManaged }: EndpointDetail["filters"]): string {
  const where = calendars === undefined ? "every calendar" : counted(calendars.length, "calendar");
  return `Changes in ${where}${isManaged ? ", only events the application created" : ""}`;
}
