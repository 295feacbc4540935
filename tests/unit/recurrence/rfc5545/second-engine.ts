import { RRuleTemporal } from "rrule-temporal";
import { Temporal } from "temporal-polyfill";

export interface RuleInput {
  rule: string;
  /** Local, milliseconds. */
  start: number;
  /** The last instant asked for. */
  to: number;
  tzid?: string;
  /** Whether DTSTART is an occurrence also where the rule does not meet it. */
  includeDtstart?: boolean;
}

/** What rrule-temporal gives, as instants; of UTC these are the local times too. */
export function secondEngine({ rule, start, to, tzid = "UTC", includeDtstart = false }: RuleInput): number[] {
  const first = Temporal.PlainDateTime.from(new Date(start).toISOString().slice(0, 19)).toZonedDateTime(tzid);
  const dtstart = first.toPlainDateTime().toString({ fractionalSecondDigits: 0 }).replace(/[-:]/g, "");
  const engine = new RRuleTemporal({
    rruleString: `DTSTART;TZID=${tzid}:${dtstart}\nRRULE:${rule}`,
    temporal: Temporal,
    includeDtstart,
    maxIterations: 20_000,
  });
  return engine.between(new Date(first.epochMilliseconds), new Date(to), true).map((one) => one.epochMilliseconds);
}
