import type { ReactNode } from "react";
import { backgroundState, isLookLate } from "@/components/dashboard/overview/background-state";
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
  /** What it means, and what to do if it isn't healthy. */
  meaning: string;
}

/** Shows the background work of the API in one line, which opens to its parts. */
export function Background({ background, now }: { background: Work; now: number }) {
  const { tone, word, line } = backgroundState(background, now);
  return (
    <section aria-labelledby="background" className="border-t">
      <details>
        <summary className="flex min-h-10 flex-wrap items-center gap-x-3 px-6 py-2 text-13 hover:bg-hover max-sm:min-h-11 max-sm:px-4">
          <h2 id="background" className="font-medium">
            Background jobs
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
      label="Background jobs"
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
  const { engine, chores, lastLookAt, waitingSignals, deadLetters } = background;
  const isEmbedded = engine === "embedded";
  return [
    {
      name: "Engine",
      value: "–",
      tone: "good",
      word: isEmbedded ? "Embedded" : "Inngest",
      meaning: isEmbedded ? "Jobs run inside Almanac." : "Jobs run on an Inngest server. Its dashboard lists the runs.",
    },
    {
      name: "Scheduled jobs",
      value: formatCount(chores.late.length > 0 ? chores.late.length : chores.count),
      ...judged(chores.late.length === 0, "Late"),
      meaning: "Late after three intervals without success. See the log for the reason.",
    },
    {
      name: "Last check for alerts",
      value: <Time at={lastLookAt} now={now} />,
      ...judged(!isLookLate(background, now), "Late"),
      meaning: "Runs every minute. If it’s 3 minutes late, no process is running background jobs.",
    },
    {
      name: "Waiting changes",
      value: formatCount(waitingSignals),
      tone: "good",
      word: "Healthy",
      meaning: "Changes that are about to become webhooks.",
    },
    {
      name: "Unprocessable signals",
      value: formatCount(deadLetters),
      ...judged(deadLetters === 0, "Needs attention"),
      meaning: "Couldn’t be processed. See the log for the reason.",
    },
  ];
}

function judged(isFine: boolean, otherwise: string): { tone: Tone; word: string } {
  return isFine ? { tone: "good", word: "Healthy" } : { tone: "wait", word: otherwise };
}
