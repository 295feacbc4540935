import type { ReactNode } from "react";
import { backgroundState, isRunLate, isSweepLate } from "@/components/dashboard/overview/background-state";
import { formatCount } from "@/components/ui/number";
import { State, type Tone } from "@/components/ui/state";
import { Row, Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { Background as Work } from "@/server/services/staff/overview/shapes";

interface Line {
  name: string;
  value: ReactNode;
  tone: Tone;
  word: string;
  /** What it means, and what to do when it isn't healthy. */
  meaning: string;
}

/** The work behind the API in one line, which opens to what it is made of. */
export function Background({ background, now }: { background: Work; now: number }) {
  const { tone, word, line } = backgroundState(background, now);
  return (
    <section aria-labelledby="background" className="border-t">
      <details>
        <summary className="flex min-h-10 flex-wrap items-center gap-x-3 px-6 py-2 text-13 hover:bg-hover max-sm:min-h-11 max-sm:px-4">
          <h2 id="background" className="font-medium">
            Background work
          </h2>
          <State tone={tone}>{word}</State>
          <span className="text-faint">{line}</span>
        </summary>
        <Components background={background} now={now} />
      </details>
    </section>
  );
}

function Components({ background, now }: { background: Work; now: number }) {
  return (
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
  );
}

function linesOf(background: Work, now: number): Line[] {
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

function runLines(background: Work, now: number): Line[] {
  const { runs, lastSweepAt } = background;
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
      ...judged(!isRunLate(background, now), "Late"),
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
      ...judged(!isSweepLate(background, now), lastSweepAt ? "Late" : "Not yet"),
      meaning: "Picks up missed jobs every minute.",
    },
  ];
}

function judged(isFine: boolean, otherwise: string): { tone: Tone; word: string } {
  return isFine ? { tone: "good", word: "Healthy" } : { tone: "wait", word: otherwise };
}
