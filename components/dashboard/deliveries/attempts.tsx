import { errorWord, isAccepted } from "@/components/dashboard/deliveries/words";
import { Code, HeaderLines } from "@/components/ui/code";
import { Fact, Facts } from "@/components/ui/facts";
import { formatDuration } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import { FullTime, Time } from "@/components/ui/time";
import type { AttemptRow } from "@/server/services/staff/deliveries/shapes";

const LONGEST_KEPT = 20_000;

/** Lists the attempts, the last one first and open, each with all that is stored of it. */
export function Attempts({ attempts, now }: { attempts: readonly AttemptRow[]; now: number }) {
  if (attempts.length === 0) {
    return <p className="text-13 text-faint">No attempts yet. The first one usually starts within seconds.</p>;
  }
  const last = attempts.at(-1);
  return (
    <ol className="-mx-6 max-sm:-mx-4">
      {[...attempts].reverse().map((attempt) => (
        <li key={attempt.number} className="border-t">
          <Attempt attempt={attempt} now={now} isOpen={attempt === last} />
        </li>
      ))}
    </ol>
  );
}

function Attempt({ attempt, now, isOpen }: { attempt: AttemptRow; now: number; isOpen: boolean }) {
  return (
    <details open={isOpen} className="group">
      <summary className="tnum flex min-h-9 items-center gap-3 px-6 text-13 hover:bg-hover max-sm:px-4 max-sm:min-h-11">
        <span aria-hidden className="text-faint transition-transform group-open:rotate-90">
          ›
        </span>
        <span className="w-5 text-right text-faint">{attempt.number}</span>
        <span className="flex-1">
          <State tone={isAccepted(attempt) ? "good" : "bad"}>
            {attempt.status ?? errorWord(attempt.errorClass ?? "no response")}
          </State>
          {attempt.manual && <span className="text-faint"> · manual</span>}
        </span>
        <span className="text-faint">{formatDuration(attempt.durationMs)}</span>
        <span className="w-20 text-right text-faint">
          <Time at={attempt.startedAt} now={now} />
        </span>
      </summary>
      <div className="grid gap-2 px-6 pb-4 max-sm:px-4">
        <Facts>
          <Fact name="Started">
            <FullTime at={attempt.startedAt} now={now} />
          </Fact>
          <Fact name="IP address">
            <span className="font-mono text-12">{attempt.address ?? "–"}</span>
          </Fact>
          {attempt.errorClass && (
            <Fact name="Error">
              {errorWord(attempt.errorClass)} <span className="font-mono text-12 text-faint">{attempt.errorClass}</span>
            </Fact>
          )}
        </Facts>
        <Answer attempt={attempt} />
      </div>
    </details>
  );
}

function Answer({ attempt }: { attempt: AttemptRow }) {
  if (attempt.status === null) return <p className="text-13 text-faint">No response.</p>;
  const headers = Object.entries(attempt.responseHeaders ?? {}).map(([name, value]) => ({
    name,
    value: String(value),
  }));
  return (
    <>
      {headers.length > 0 && <HeaderLines name={`Response headers, attempt ${attempt.number}`} headers={headers} />}
      {attempt.responseBody ? (
        <Code name={`Response body, attempt ${attempt.number}`} text={attempt.responseBody} />
      ) : (
        <p className="text-13 text-faint">The response had no body.</p>
      )}
      {(attempt.responseBody?.length ?? 0) >= LONGEST_KEPT && (
        <p className="text-12 text-faint">Only the first 20 KiB are kept.</p>
      )}
    </>
  );
}
