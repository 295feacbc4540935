import type { ReactNode } from "react";
import { formatCount } from "@/components/ui/number";
import { State, type Tone } from "@/components/ui/state";
import { Row, Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { Overview } from "@/server/services/staff/overview/shapes";

const SWEEP_LATE_MS = 3 * 60_000;
const RUN_LATE_MS = 60_000;

interface Line {
  name: string;
  value: ReactNode;
  tone: Tone;
  word: string;
  /** What it means, and what to do when it isn't healthy. */
  meaning: string;
}

/** The work behind the API: healthy, or what needs attention. */
export function Background({ background, now }: { background: Overview["background"]; now: number }) {
  return (
    <section aria-labelledby="background" className="pt-4 lg:border-l">
      <h2 id="background" className="px-6 pb-1 text-13 font-medium max-sm:px-4">
        Background work
      </h2>
      <Table
        label="Background work"
        head={
          <>
            <Th>Component</Th>
            <Th>State</Th>
            <Th from="xl">Description</Th>
            <Th align="right">Value</Th>
          </>
        }
      >
        {linesOf(background, now).map(({ name, value, tone, word, meaning }) => (
          <Row key={name} first={name}>
            <Td>
              <State tone={tone}>{word}</State>
            </Td>
            <Td from="xl" className="w-full max-w-0 truncate text-faint" title={meaning}>
              {meaning}
            </Td>
            <Td align="right">{value}</Td>
          </Row>
        ))}
      </Table>
    </section>
  );
}

function linesOf(background: Overview["background"], now: number): Line[] {
  const { executor, waitingSignals, deadLetters } = background;
  return [
    {
      name: "Executor",
      value: "–",
      tone: "good",
      word: executor === "embedded" ? "Embedded" : "Inngest",
      meaning: executor === "embedded" ? "Jobs run inside Almanac." : "Jobs run on an Inngest server.",
    },
    ...(executor === "embedded" ? runLines(background, now) : [elsewhere]),
    {
      name: "Queued signals",
      value: formatCount(waitingSignals),
      tone: "good",
      word: "Healthy",
      meaning: "Changes that are about to become notifications.",
    },
    {
      name: "Unprocessable signals",
      value: formatCount(deadLetters),
      ...judged(deadLetters === 0, "Needs attention"),
      meaning: "Couldn’t be processed. See the log for the reason.",
    },
  ];
}

const elsewhere: Line = {
  name: "Jobs and sweep",
  value: "–",
  tone: "off",
  word: "External",
  meaning: "See the Inngest server’s own dashboard.",
};

function runLines({ runs, lastSweepAt }: Overview["background"], now: number): Line[] {
  const isDueLong = runs.oldestDueAt !== null && Date.parse(runs.oldestDueAt) < now - RUN_LATE_MS;
  const isSweptLately = lastSweepAt !== null && Date.parse(lastSweepAt) > now - SWEEP_LATE_MS;
  return [
    {
      name: "Open jobs",
      value: formatCount(runs.open),
      tone: "good",
      word: "Healthy",
      meaning: "Running or scheduled jobs.",
    },
    {
      name: "Oldest due job",
      value: runs.oldestDueAt ? <Time at={runs.oldestDueAt} now={now} /> : "none",
      ...judged(!isDueLong, "Late"),
      meaning: "Late after one minute: the process is overloaded.",
    },
    {
      name: "Failed jobs, 24 h",
      value: formatCount(runs.failed24h),
      ...judged(runs.failed24h === 0, "Needs attention"),
      meaning: "The next sweep retries their work.",
    },
    {
      name: "Last sweep",
      value: lastSweepAt ? <Time at={lastSweepAt} now={now} /> : "–",
      ...judged(isSweptLately, lastSweepAt ? "Late" : "Not yet"),
      meaning: "Picks up missed jobs every minute.",
    },
  ];
}

function judged(isFine: boolean, otherwise: string): { tone: Tone; word: string } {
  return isFine ? { tone: "good", word: "Healthy" } : { tone: "wait", word: otherwise };
}
