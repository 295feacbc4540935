import type { ReactNode } from "react";
import {
  calendarWord,
  endpointOf,
  outcomeWords,
  stepWords,
} from "@/components/dashboard/account-page/timeline/step-words";
import { errorWord, shownState } from "@/components/dashboard/deliveries/words";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { Tag } from "@/components/ui/chip";
import { localTime, shortTime, zoneNameAt } from "@/components/ui/local-time";
import { formatDuration } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import { wallClock } from "@/components/ui/zoned-time";
import type { ChangeOutcome } from "@/server/domain/timeline/change-outcome";
import type { AttemptFacts, DeliveryFacts } from "@/server/domain/timeline/facts";
import type { Timeline } from "@/server/services/staff/accounts/timeline/shapes";

type Step = Timeline["steps"][number];

interface StepsProps {
  timeline: Timeline;
  zone: string;
}

/** Lists what happened, the oldest first. */
export function Steps({ timeline, zone }: StepsProps) {
  const { steps, from, to } = timeline;
  if (steps.length === 0)
    return (
      <p className="px-6 pb-4 text-13 text-faint max-sm:px-4">
        No changes, writes or webhooks were recorded in this time.
      </p>
    );
  const lines = steps.map((step) => ({
    at: step.at,
    content: <Content step={step} timeline={timeline} zone={zone} />,
  }));
  return <StepList lines={lines} between={[from, to]} zone={zone} />;
}

interface StepListProps {
  lines: readonly { at: number; content: ReactNode }[];
  /** The times between which they are. */
  between: readonly number[];
  zone: string;
}

/** Lists what happened with its times, the zone that they are in, and the days if there are several. */
export function StepList({ lines, between, zone }: StepListProps) {
  const days = new Set([...between, ...lines.map(({ at }) => at)].map((ms) => dayOf(ms, zone)));
  return (
    <>
      <p className="px-6 pb-2 text-12 text-faint max-sm:px-4">
        Times in {zoneNameAt(iso(between[0] ?? lines[0]?.at ?? 0), zone)}
      </p>
      <ol aria-label="What happened">
        {lines.map(({ at, content }, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: two may happen at once, and they are not rearranged.
            key={index}
            className="grid grid-cols-[5.5rem_1fr] gap-x-4 border-t px-6 py-2 text-13 max-sm:grid-cols-[5rem_1fr] max-sm:gap-x-2 max-sm:px-4"
          >
            <time dateTime={iso(at)} title={localTime(iso(at), zone)} className="tnum text-faint">
              {days.size > 1 && <span className="block whitespace-nowrap text-12">{dayOf(at, zone)}</span>}
              {clockTime(at, zone)}
            </time>
            <div className="grid min-w-0 gap-0.5 wrap-anywhere">{content}</div>
          </li>
        ))}
      </ol>
    </>
  );
}

function Content({ step, timeline, zone }: StepsProps & { step: Step }) {
  if (step.kind === "change") return <ChangeStep step={step} timeline={timeline} />;
  if (step.kind === "delivery") {
    const { delivery } = step;
    return <DeliveryStep delivery={delivery} endpoint={endpointOf(delivery.channelId, timeline)} zone={zone} />;
  }
  if (step.kind !== "write") return <p>{stepWords(step, timeline)}</p>;
  const { id, method, status, calendarId, isSandbox, reason } = step.write;
  return (
    <>
      <p>
        {stepWords(step, timeline)}{" "}
        <DetailLink href={`/dashboard/requests?${new URLSearchParams({ open: id })}`}>
          {method} {status}
        </DetailLink>
      </p>
      {!isSandbox && (
        <Under>
          {calendarWord(calendarId, timeline)}:{" "}
          {status < 300 ? "not notified: the application’s own write" : "nothing was changed"}
        </Under>
      )}
      {isSandbox && status >= 400 && <Under>nothing was changed</Under>}
      {reason && <Under>reason: {reason}</Under>}
    </>
  );
}

function ChangeStep({ step, timeline }: { step: Step & { kind: "change" }; timeline: Timeline }) {
  const { calendarId, managed } = step.change;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2">
        Change by others in {calendarWord(calendarId, timeline)}
        {managed && <Tag>events of the application</Tag>}
      </p>
      {step.outcomes.length === 0 && <Under>no channel</Under>}
      {step.outcomes.map(({ channel, outcome }) => (
        <OutcomeLine key={channel} endpoint={endpointOf(channel, timeline)} outcome={outcome} />
      ))}
    </>
  );
}

/** Shows what a channel did with a change. */
export function OutcomeLine({ endpoint, outcome }: { endpoint: string; outcome: ChangeOutcome }) {
  return (
    <Under>
      <span className="font-mono text-12">{endpoint}</span>: {outcomeWords(outcome)}
    </Under>
  );
}

interface DeliveryStepProps {
  delivery: DeliveryFacts;
  /** Host and path, without the query. */
  endpoint: string;
  zone: string;
}

/** Shows a delivery with its attempts. */
export function DeliveryStep({ delivery, endpoint, zone }: DeliveryStepProps) {
  const { id, type, test, state, attempts, nextAttemptAt } = delivery;
  const { tone, word } = shownState({ state, nextAttemptAt, retrying: attempts.length > 0 });
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2">
        <State tone={tone}>{word}</State>
        <DetailLink href={`/dashboard/deliveries?${new URLSearchParams({ open: id })}`}>{type}</DetailLink>
        {test && <Tag>test</Tag>}
        <span className="font-mono text-12">{endpoint}</span>
      </p>
      {attempts.map((attempt) => (
        <Under key={attempt.number}>{attemptWords(attempt, { zone, day: dayOf(delivery.createdAt, zone) })}</Under>
      ))}
      {state === "pending" && (
        <Under>{nextAttemptAt === null ? "on hold" : `next attempt at ${shortTime(iso(nextAttemptAt), zone)}`}</Under>
      )}
    </>
  );
}

/** Describes an attempt, with its day if it differs from the delivery's. */
function attemptWords(attempt: AttemptFacts, { zone, day }: { zone: string; day: string }): string {
  const { number, manual, status, error, durationMs, startedAt } = attempt;
  const result = status ?? (error === null ? "no result" : errorWord(error));
  const how = durationMs === null ? `${result}` : `${result} in ${formatDuration(durationMs)}`;
  const own = dayOf(startedAt, zone);
  const time = own === day ? clockTime(startedAt, zone) : `${own} ${clockTime(startedAt, zone)}`;
  return `attempt ${number}${manual ? " (manual)" : ""} at ${time}: ${how}`;
}

/** Shows a detail of a step. */
export function Under({ children }: { children: ReactNode }) {
  return <p className="tnum text-12 text-faint">{children}</p>;
}

/** Formats the day of a time: 2026-11-21. */
function dayOf(ms: number, zone: string): string {
  return wallClock(ms, zone).slice(0, 10);
}

/** Formats a time of day: 10:03:12. */
function clockTime(ms: number, zone: string): string {
  return wallClock(ms, zone).slice(11);
}

const iso = (ms: number) => new Date(ms).toISOString();
