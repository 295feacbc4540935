import { accountPath, narrowed } from "@/components/dashboard/address/paths";
import { applicationPath } from "@/components/dashboard/applications/tabs";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { Panel } from "@/components/dashboard/panel/panel";
import { CausedParts } from "@/components/dashboard/requests/caused";
import { Message } from "@/components/dashboard/requests/message";
import { RefusedPage } from "@/components/dashboard/requests/refused-page";
import { WhatFailed } from "@/components/dashboard/requests/what-failed";
import { REQUESTED_FAULT, statusTone, statusWords } from "@/components/dashboard/requests/words";
import { Tag } from "@/components/ui/chip";
import { Fact, Facts, Section } from "@/components/ui/facts";
import { Id } from "@/components/ui/id";
import { formatDuration } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import { FullTime } from "@/components/ui/time";
import { requestedFault } from "@/server/domain/requested-faults";
import { requestList } from "@/server/services/staff/lists/requests";
import type { RequestDetail } from "@/server/services/staff/requests/shapes";

interface RequestPanelProps {
  /** The page's address without the panel. */
  closeHref: string;
  request: RequestDetail;
  now: number;
}

/** Shows a request: why it failed, what was sent, what the response was, and what it changed. */
export function RequestPanel({ closeHref, request, now }: RequestPanelProps) {
  const fault = requestedFault(request.errorKeys);
  return (
    <Panel
      closeHref={closeHref}
      title={
        <span className="block py-1 font-mono text-14 leading-6">
          <span className="text-faint">{request.method}</span> {request.path}
        </span>
      }
      under={
        <>
          <State tone={fault ? "off" : statusTone(request.status)}>{statusWords(request.status)}</State>
          {fault && <Tag>{REQUESTED_FAULT}</Tag>}
          <span className="tnum text-faint">{formatDuration(request.durationMs)}</span>
        </>
      }
    >
      <WhatFailed request={request} />
      <div className="px-6 py-4 max-sm:px-4">
        <RequestFacts request={request} now={now} />
      </div>
      <Section title="Outcome">
        <CausedParts request={request} />
      </Section>
      <Section title="Request">
        <Message name="Request" headers={request.requestHeaders} body={request.requestBody} />
      </Section>
      <Section title="Response" aside={statusWords(request.status)}>
        <Message name="Response" headers={request.responseHeaders} body={request.responseBody} />
      </Section>
    </Panel>
  );
}

function RequestFacts({ request, now }: { request: RequestDetail; now: number }) {
  const fault = requestedFault(request.errorKeys);
  const { requestId, query, endpoint, applicationId, accountId } = request;
  return (
    <Facts>
      <RefusedPage request={request} />
      {fault && (
        <Fact name={REQUESTED_FAULT}>
          <span className="font-mono text-12">{fault}</span>, simulated with Svc-Sandbox-Fault
        </Fact>
      )}
      <Fact name="Request ID">
        <Id id={requestId} isWhole action="Copy request ID" /> <Dot />
        <DetailLink href={narrowed(requestList.path, "id", requestId)}>All requests with this ID</DetailLink>
      </Fact>
      <Fact name="Time">
        <FullTime at={request.at} now={now} />
      </Fact>
      <Fact name="Query">{query ? <span className="font-mono text-12">{query}</span> : <None>None</None>}</Fact>
      <Fact name="Route">
        {endpoint ? (
          <DetailLink href={narrowed(requestList.path, "endpoint", endpoint)}>{endpoint}</DetailLink>
        ) : (
          <None>Unknown path</None>
        )}
      </Fact>
      <Fact name="Application">
        {applicationId ? (
          <DetailLink href={applicationPath(applicationId)} action="Open application">
            {request.applicationName ?? applicationId}
          </DetailLink>
        ) : (
          <None>Unknown (not authenticated)</None>
        )}
      </Fact>
      <Fact name="Account">
        {accountId ? (
          <>
            <DetailLink href={accountPath(accountId)} action="Open account">
              {request.accountName || accountId}
            </DetailLink>{" "}
            <Dot />
            <DetailLink href={narrowed(requestList.path, "account", accountId)} action="View requests of the account">
              View requests
            </DetailLink>
          </>
        ) : (
          <None>{applicationId && endpoint?.startsWith("/v1/") ? "None (the application’s credentials)" : "None"}</None>
        )}
      </Fact>
      <Fact name="IP address">
        <span className="font-mono text-12">{request.address ?? "–"}</span>
      </Fact>
    </Facts>
  );
}

function None({ children }: { children: string }) {
  return <span className="text-faint">{children}</span>;
}

function Dot() {
  return <span className="text-faint">· </span>;
}
