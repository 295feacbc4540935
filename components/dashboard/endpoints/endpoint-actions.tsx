"use client";

import { ConfirmedAction } from "@/components/dashboard/confirmed-action";
import { TestEvent } from "@/components/dashboard/deliveries/test-event";
import { RetrySince } from "@/components/dashboard/endpoints/retry-since";
import { RetryWaiting } from "@/components/dashboard/endpoints/retry-waiting";
import { staffClient } from "@/components/dashboard/staff-client";
import type { EndpointDetail } from "@/server/services/staff/endpoints/shapes";

interface EndpointActionsProps {
  endpoint: EndpointDetail;
  /** A bulk retry of its deliveries is running. */
  isRetrying: boolean;
  now: number;
}

/** Shows the actions for an endpoint until it is closed. */
export function EndpointActions({ endpoint, isRetrying, now }: EndpointActionsProps) {
  const { id, state } = endpoint;
  if (state === "closed") return null;
  return (
    <>
      {state === "failing" && endpoint.waiting.count > 0 && !isRetrying && <RetryWaiting endpoint={endpoint} />}
      {!endpoint.isOfTrigger && <TestEvent channelId={id} />}
      <RetrySince endpoint={endpoint} now={now} />
      <Change key={state === "paused" ? "resume" : "pause"} id={id} change={state === "paused" ? resume : pause} />
      <Change id={id} change={endpoint.isOfTrigger ? closeTrigger : close} />
    </>
  );
}

interface ChangeWords {
  label: string;
  title: string;
  text: string;
  verb: string;
  announcement: string;
  isDanger?: boolean;
  run(id: string): Promise<unknown>;
}

const pause: ChangeWords = {
  label: "Pause…",
  title: "Pause this endpoint?",
  text: "New deliveries are held for up to 30 days and sent when you resume. Test events and manual retries are still sent. The API still lists the channel as open.",
  verb: "Pause endpoint",
  announcement: "Endpoint paused",
  run: (id) => staffClient.channels.pause.mutate({ id }),
};

const resume: ChangeWords = {
  label: "Resume…",
  title: "Resume this endpoint?",
  text: "All held deliveries are sent now, a few at a time.",
  verb: "Resume endpoint",
  announcement: "Endpoint resumed",
  run: (id) => staffClient.channels.resume.mutate({ id }),
};

const close: ChangeWords = {
  label: "Close…",
  title: "Close this endpoint?",
  text: "This closes the channel, like DELETE /v1/channels/{id}. Pending deliveries are canceled and nothing more is sent. To receive webhooks again, the application must create another channel. This can’t be undone.",
  verb: "Close endpoint",
  announcement: "Endpoint closed",
  isDanger: true,
  run: (id) => staffClient.channels.close.mutate({ id }),
};

const closeTrigger: ChangeWords = {
  ...close,
  text: "This deletes the trigger, like DELETE /v1/triggers/{id}. It no longer fires, and pending deliveries are canceled. To be notified again, the application must create another trigger. This can’t be undone.",
};

function Change({ id, change: { run, isDanger, ...words } }: { id: string; change: ChangeWords }) {
  return <ConfirmedAction look={isDanger ? "danger" : "plain"} {...words} work={() => run(id)} />;
}
