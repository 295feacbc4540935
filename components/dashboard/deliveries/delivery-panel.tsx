import { accountPath, calendarsPath, endpointPath, narrowed, timelinePath } from "@/components/dashboard/address/paths";
import { applicationPath } from "@/components/dashboard/applications/tabs";
import { Attempts } from "@/components/dashboard/deliveries/attempts";
import { DeliveryActions } from "@/components/dashboard/deliveries/delivery-actions";
import { diagnosis } from "@/components/dashboard/deliveries/diagnosis";
import { type Notice, noticeOf } from "@/components/dashboard/deliveries/notice";
import { Schedule } from "@/components/dashboard/deliveries/schedule";
import { causeWords, shownState, stateWords } from "@/components/dashboard/deliveries/words";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { Panel } from "@/components/dashboard/panel/panel";
import { Tag } from "@/components/ui/chip";
import { classes } from "@/components/ui/classes";
import { Code, HeaderLines } from "@/components/ui/code";
import { Fact, Facts, Section } from "@/components/ui/facts";
import { Id } from "@/components/ui/id";
import { State } from "@/components/ui/state";
import { FullTime } from "@/components/ui/time";
import type { DeliveryDetail } from "@/server/services/staff/deliveries/shapes";
import { deliveryList } from "@/server/services/staff/lists/deliveries";

interface DeliveryPanelProps {
  /** The page's address without the panel. */
  closeHref: string;
  delivery: DeliveryDetail;
  now: number;
  isAdmin: boolean;
}

/** Shows why a webhook did or did not arrive: the request, and every attempt with all that is stored of it. */
export function DeliveryPanel({ closeHref, delivery, now, isAdmin }: DeliveryPanelProps) {
  const { tone, word } = shownState(delivery);
  const why = diagnosis(delivery);
  const notice = noticeOf(delivery);
  return (
    <Panel
      closeHref={closeHref}
      title={<Id id={delivery.id} isWhole action="Copy delivery ID" />}
      under={
        <>
          <State tone={tone}>{word}</State>
          <Tag>{delivery.type}</Tag>
          {delivery.test && <Tag>test</Tag>}
          {delivery.late && <span className="text-faint">late: due for over 30 seconds</span>}
          {notice?.sentence && <p className="w-full">{notice.sentence}</p>}
          {why && <p className={classes("w-full", delivery.state === "failed" && "text-red")}>{why}</p>}
        </>
      }
      actions={
        <DeliveryActions
          key={delivery.id}
          id={delivery.id}
          ended={delivery.attemptRows.at(-1)?.number ?? 0}
          state={delivery.state}
          isManual={delivery.replayAsked}
          isUnderWay={delivery.underWay}
          isClosed={delivery.channel.closedAt !== null}
          isAdmin={isAdmin}
        />
      }
    >
      <div className="px-6 py-4 max-sm:px-4">
        <DeliveryFacts delivery={delivery} notice={notice} now={now} />
      </div>
      <Section title="Attempts" aside={attemptsWords(delivery)}>
        <Schedule delivery={delivery} now={now} />
        <Attempts attempts={delivery.attemptRows} now={now} />
      </Section>
      <Section title="Request" aside={delivery.attemptRows.length === 0 ? "next attempt" : "last attempt"}>
        <div className="grid gap-2">
          <HeaderLines name="Request headers" headers={delivery.headersSent} />
          <Code name="Request body" text={delivery.body} />
        </div>
      </Section>
    </Panel>
  );
}

interface DeliveryFactsProps {
  delivery: DeliveryDetail;
  notice: Notice | null;
  now: number;
}

function DeliveryFacts({ delivery, notice, now }: DeliveryFactsProps) {
  return (
    <Facts>
      <Fact name="Callback URL">
        <span className="font-mono text-12">{delivery.callbackUrl}</span>
      </Fact>
      <Fact name="Application">
        <DetailLink href={applicationPath(delivery.applicationId)} action="Open application">
          {delivery.applicationName ?? delivery.applicationId}
        </DetailLink>
      </Fact>
      <Fact name="Account">
        <DetailLink href={accountPath(delivery.accountId)} action="Open account">
          {delivery.accountName || delivery.accountId}
        </DetailLink>
      </Fact>
      <Fact name="Endpoint">
        <DetailLink href={endpointPath(delivery.channelId)} action="Open endpoint">
          {delivery.endpoint}
        </DetailLink>{" "}
        <span className="text-faint">· </span>
        <DetailLink
          href={narrowed(deliveryList.path, "channel", delivery.channelId)}
          action="View deliveries of the endpoint"
        >
          View deliveries
        </DetailLink>
        {delivery.channel.closedAt && <span className="text-faint"> · closed</span>}
        {isHeld(delivery) && <span className="text-faint"> · paused, this delivery is held</span>}
      </Fact>
      <Fact name="Created">
        <FullTime at={delivery.createdAt} now={now} />
      </Fact>
      {notice?.triggerId && (
        <Fact name="Trigger">
          <Id id={notice.triggerId} />
        </Fact>
      )}
      {notice?.eventUid && (
        <Fact name="Event">
          <Id id={notice.eventUid} />
          {notice.eventId && <span className="font-mono text-12 text-faint"> {notice.eventId}</span>}
        </Fact>
      )}
      <Fact name="Triggered by">
        <Cause delivery={delivery} now={now} />
      </Fact>
      {delivery.finishedAt && (
        <Fact name={stateWords[delivery.state].word}>
          <FullTime at={delivery.finishedAt} now={now} />
        </Fact>
      )}
    </Facts>
  );
}

/** Says what the delivery is about: changes that a sync found, a test, the creation of its channel. */
function Cause({ delivery, now }: Omit<DeliveryFactsProps, "notice">) {
  const { accountId, changes, createdAt, type } = delivery;
  const timeline = (
    <DetailLink href={timelinePath(accountId, createdAt)} action="Open timeline">
      Timeline
    </DetailLink>
  );
  if (type === "verification") {
    return (
      <>
        {causeWords(delivery)} <span className="text-faint">· </span>
        <DetailLink href={requestsAround(delivery)}>Requests in the 2 minutes before</DetailLink>
      </>
    );
  }
  if (type === "change" && changes.length > 0) {
    return (
      <>
        {changes.map(({ calendarId, calendarName, at }) => (
          <span key={calendarId} className="block">
            Change by others in{" "}
            <DetailLink href={calendarsPath(accountId)}>{calendarName ?? "a deleted calendar"}</DetailLink>, found{" "}
            <FullTime at={at} now={now} />
          </span>
        ))}
        {timeline}
      </>
    );
  }
  return (
    <>
      {causeWords(delivery)} <span className="text-faint">· </span>
      {timeline}
    </>
  );
}

function isHeld({ state, nextAttemptAt, underWay }: DeliveryDetail): boolean {
  return state === "pending" && nextAttemptAt === null && !underWay;
}

function attemptsWords({ waits, attempts }: DeliveryDetail): string {
  const manual = attempts - waits.made;
  return `${waits.made} of ${waits.most} scheduled${manual > 0 ? `, ${manual} manual` : ""}`;
}

const BEFORE_MS = 120_000;

/** Links to the account's requests in the two minutes before. */
function requestsAround({ accountId, createdAt }: DeliveryDetail): string {
  const at = Date.parse(createdAt);
  const text = (ms: number) => new Date(ms).toISOString().slice(0, 19);
  return `/dashboard/requests?${new URLSearchParams({ account: accountId, from: text(at - BEFORE_MS), to: text(at + 1_000) })}`;
}
