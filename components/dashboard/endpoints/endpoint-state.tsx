import { closedWords } from "@/components/dashboard/deliveries/words";
import { endpointStates, failureSentence } from "@/components/dashboard/endpoints/words";
import { counted } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { EndpointDetail } from "@/server/services/staff/endpoints/shapes";

/** Shows the endpoint's state and since when, and explains in plain words why its last attempt failed. */
export function EndpointState({ endpoint, now }: { endpoint: EndpointDetail; now: number }) {
  const { tone, word } = endpointStates[endpoint.state];
  return (
    <div className="grid gap-1 px-6 pb-4 text-13 max-sm:px-4">
      <p>
        <State tone={tone}>{word}</State> <Since endpoint={endpoint} now={now} />
      </p>
      {endpoint.state !== "closed" && endpoint.consecutiveFailures > 0 && endpoint.lastFailure && (
        <p className="max-w-prose">
          {failureSentence(endpoint.lastFailure, endpoint.endpoint)}{" "}
          <span className="text-faint">
            <Time at={endpoint.lastFailure.at} now={now} />
          </span>
        </p>
      )}
    </div>
  );
}

function Since({ endpoint, now }: { endpoint: EndpointDetail; now: number }) {
  const { state, closedAt, closedBy, pausedAt, failingSince, lastAttemptAt, consecutiveFailures } = endpoint;
  if (state === "closed" && closedAt) {
    return (
      <span className="text-faint">
        <Time at={closedAt} now={now} />
        {closedWords(closedBy)}. Nothing more is sent.
      </span>
    );
  }
  if (state === "paused" && pausedAt) {
    return (
      <span className="text-faint">
        since <Time at={pausedAt} now={now} />. Deliveries are held until you resume the endpoint.
      </span>
    );
  }
  if (state === "failing" && failingSince) {
    return (
      <span className="text-faint">
        since <Time at={failingSince} now={now} />. The last {counted(consecutiveFailures, "attempt")} failed.
      </span>
    );
  }
  if (lastAttemptAt === null) return <span className="text-faint">No attempts in the last 7 days.</span>;
  return (
    <span className="text-faint">
      Last attempt <Time at={lastAttemptAt} now={now} />
      {consecutiveFailures > 0 && `, ${counted(consecutiveFailures, "failure")} in a row`}.
    </span>
  );
}
