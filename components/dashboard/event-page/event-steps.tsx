import type { ReactNode } from "react";
import { DeliveryStep, OutcomeLine, StepList, Under } from "@/components/dashboard/account-page/timeline/steps";
import { providerWord } from "@/components/dashboard/accounts/words";
import { stateWord } from "@/components/dashboard/accounts/write-words";
import { narrowed } from "@/components/dashboard/address/paths";
import { changeSentence, requestWords, writeSentence, writtenWords } from "@/components/dashboard/event-page/words";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { shortTime } from "@/components/ui/local-time";
import { counted } from "@/components/ui/number";
import type {
  ChannelOutcome,
  EventChange,
  EventDetail,
  EventRequest,
  EventStep,
  EventWrite,
} from "@/server/services/staff/events/shapes";

interface EventStepsProps {
  event: EventDetail;
  zone: string;
}

/** Lists what happened to an event, the newest first. */
export function EventSteps({ event, zone }: EventStepsProps) {
  if (event.steps.length === 0)
    return (
      <p className="px-6 pb-4 text-13 text-faint max-sm:px-4">
        No request, change or webhook is stored. Requests are kept for 30 days, 7 on the Developer plan.
      </p>
    );
  const lines = event.steps.map((step) => ({
    at: step.at,
    content: <Content step={step} event={event} zone={zone} />,
  }));
  return <StepList lines={lines} between={[]} zone={zone} />;
}

function Content({ step, event, zone }: EventStepsProps & { step: EventStep }): ReactNode {
  switch (step.kind) {
    case "request":
      return <RequestStep request={step.request} />;
    case "change":
      return <ChangeStep change={step.change} outcomes={step.outcomes} />;
    case "delivery":
      return <DeliveryStep delivery={step.delivery} endpoint={step.endpoint} zone={zone} />;
    case "written":
      return <p>{writtenWords(step.attempts, event)}</p>;
    case "reverted":
      return <p>Reverted: reads return the provider’s version</p>;
    default:
      return <WriteStep write={step.write} event={event} zone={zone} />;
  }
}

function RequestStep({ request }: { request: EventRequest }) {
  const { id, method, path, status, reason } = request;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2">
        <span>{requestWords(request)}</span>
        <DetailLink href={narrowed("/dashboard/requests", "open", id)}>
          {method} {status}
        </DetailLink>
      </p>
      <Under>
        <span className="font-mono">{path}</span>
      </Under>
      {reason && <Under>reason: {reason}</Under>}
    </>
  );
}

function ChangeStep({ change, outcomes }: { change: EventChange; outcomes: readonly ChannelOutcome[] }) {
  return (
    <>
      <p>{changeSentence(change)}</p>
      {change.fields.length > 0 && <Under>fields: {change.fields.join(", ")}</Under>}
      {!change.own && outcomes.length === 0 && <Under>no channel was open</Under>}
      {outcomes.map(({ channel, endpoint, outcome }) => (
        <OutcomeLine key={channel} endpoint={endpoint} outcome={outcome} />
      ))}
    </>
  );
}

function WriteStep({ write, event, zone }: EventStepsProps & { write: EventWrite }) {
  const { attempts, dueAt } = write;
  return (
    <>
      <p>
        Write to {providerWord(event)}: {stateWord(write).toLowerCase()}
      </p>
      <Under>
        {writeSentence(write, event)} {counted(attempts, "attempt")}
        {dueAt !== null && `, next at ${shortTime(new Date(dueAt).toISOString(), zone)}`}
      </Under>
    </>
  );
}
