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
  /** What it means, and what to do when it is not in order. */
  meaning: string;
}

/** How the work behind the API does: in order, or what to look at. */
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
            <Th>What</Th>
            <Th>State</Th>
            <Th from="xl">Means</Th>
            <Th align="right">Now</Th>
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
  const { executor, waitingSignals, setAside } = background;
  return [
    {
      name: "Executor",
      value: executor,
      tone: "good",
      word: "Set up",
      meaning: executor === "embedded" ? "The processes of Almanac run it themselves." : "An Inngest server runs it.",
    },
    ...(executor === "embedded" ? runLines(background, now) : [elsewhere]),
    {
      name: "Signals waiting",
      value: formatCount(waitingSignals),
      tone: "good",
      word: "In order",
      meaning: "Changes that are about to become notifications.",
    },
    {
      name: "Signals set aside",
      value: formatCount(setAside),
      ...judged(setAside === 0, "Look closer"),
      meaning: "Could not be read or handled; the log says why.",
    },
  ];
}

const elsewhere: Line = {
  name: "Runs and sweep",
  value: "–",
  tone: "off",
  word: "Elsewhere",
  meaning: "The Inngest server has them in its own pages.",
};

function runLines({ runs, lastSweepAt }: Overview["background"], now: number): Line[] {
  const isDueLong = runs.oldestDueAt !== null && Date.parse(runs.oldestDueAt) < now - RUN_LATE_MS;
  const isSweptLately = lastSweepAt !== null && Date.parse(lastSweepAt) > now - SWEEP_LATE_MS;
  return [
    {
      name: "Open runs",
      value: formatCount(runs.open),
      tone: "good",
      word: "In order",
      meaning: "Pieces of work that were begun or are due later.",
    },
    {
      name: "Oldest due",
      value: runs.oldestDueAt ? <Time at={runs.oldestDueAt} now={now} /> : "none",
      ...judged(!isDueLong, "Late"),
      meaning: "Late after a minute: the process is busy.",
    },
    {
      name: "Runs failed, 24 h",
      value: formatCount(runs.failed24h),
      ...judged(runs.failed24h === 0, "Look closer"),
      meaning: "The sweep takes up what they left.",
    },
    {
      name: "Last sweep",
      value: lastSweepAt ? <Time at={lastSweepAt} now={now} /> : "–",
      ...judged(isSweptLately, lastSweepAt ? "Late" : "Not yet"),
      meaning: "Every minute it finds work that nobody woke.",
    },
  ];
}

function judged(isFine: boolean, otherwise: string): { tone: Tone; word: string } {
  return isFine ? { tone: "good", word: "In order" } : { tone: "wait", word: otherwise };
}
