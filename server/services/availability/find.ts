import { availability } from "@/server/domain/availability/availability";
import { type Interval, intersect, union } from "@/server/domain/availability/intervals";
import type { ProblemReason } from "@/server/domain/availability/problem";
import type { Member, Offer, Question } from "@/server/domain/availability/question";
import { unavailableTime } from "@/server/domain/availability/unavailable";
import { workingHours } from "@/server/domain/availability/working-hours";
import { groupedBy } from "@/server/domain/grouped-by";
import { MAX_AVAILABILITY_RESULTS } from "@/server/domain/limits";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { clampWindow } from "@/server/domain/window";
import { type AvailabilityQuestion, availabilityBody } from "@/server/services/availability/body";
import { buffered, bufferOf, rangeOfSpans } from "@/server/services/availability/buffers";
import { askedCalendars, findMembers, type MemberTime, type Wanted } from "@/server/services/availability/members";
import { shownProblem, unknownIssues } from "@/server/services/availability/problems";
import type { AvailabilityShape } from "@/server/services/availability/response-shape";
import { unsupportedIssues } from "@/server/services/availability/unsupported";
import { inputOf } from "@/server/services/input";
import { invalid } from "@/server/services/refusal";
import { eitherProcedure } from "@/server/services/trpc";
import { busyTime } from "@/server/store/busy/busy-time";

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
/** How far apart slots begin where the request does not say. */
const DEFAULT_INTERVAL_MINUTES = 15;

type Group = AvailabilityQuestion["participants"][number];
type Listed = Group["members"][number];

/**
 * Finds the time in which enough members of every group are free (POST /v1/availability). A member that is
 * disconnected or was not read yet is never free. Refuses with 422, also for accounts and calendars that the caller
 * does not have.
 */
export const findAvailability = eitherProcedure
  .meta({ onlyReads: true })
  .input(inputOf(availabilityBody, unsupportedIssues))
  .mutation(async ({ input, ctx }): Promise<AvailabilityShape> => {
    const now = ctx.now as Instant;
    const { periods, horizon } = periodsOf(input, now);
    const buffer = bufferOf(input);
    const listed = listedMembers(input.participants);
    const range = rangeOfSpans(buffered(periods, buffer), now);
    const wanted = [...listed.values()].map(wantedOf);
    const known = await findMembers(ctx.db, wanted, { asking: ctx.asking, needed: range.end, now });
    refuseUnknown(input.participants, known);
    const calendars = askedCalendars(known.values());
    const rules = { tentative: input.tentative === "busy", unanswered: input.unanswered === "busy" };
    const busy = await busyTime(ctx.db, { calendars, range, rules });
    const busyOf = (sub: string) => busy.filter((_, place) => calendars[place]?.sub === sub).flat();
    const question: Question = {
      groups: input.participants.map(({ members, required }) => ({
        members: members.map(({ sub }) => sub),
        required,
      })),
      members: new Map([...known].map(([sub, time]) => [sub, memberOf(time, busyOf(sub), listed.get(sub) ?? [])])),
      periods,
      durationMs: input.required_duration.minutes * MINUTE_MS,
      ...buffer,
      format: input.response_format,
      intervalMs: (input.start_interval?.minutes ?? DEFAULT_INTERVAL_MINUTES) * MINUTE_MS,
      most: input.max_results,
    };
    const shown = availability(question).map(shownOffer);
    return {
      ...(input.response_format === "periods" ? { available_periods: shown } : { available_slots: shown }),
      problems: problemsOf(known, horizon),
      as_of: Object.fromEntries([...known].map(([sub, { asOf }]) => [sub, asOf && formatInstant(asOf)])),
      ...(input.explain && { unavailable: explained(question, known) }),
    };
  });

/** Narrows the periods to the time that reads reach, and each to the working hours. */
function periodsOf(input: AvailabilityQuestion, now: Instant): { periods: Interval[]; horizon: Instant | null } {
  const sent = input.query_periods ?? input.available_periods ?? [];
  const window = clampWindow({}, now);
  const earliest = (Math.ceil(window.from / SECOND_MS) * SECOND_MS) as Instant;
  const latest = (Math.floor(window.to / SECOND_MS) * SECOND_MS) as Instant;
  const periods = sent.flatMap((period) => {
    const start = Math.max(period.start, earliest) as Instant;
    const end = Math.min(period.end, latest) as Instant;
    if (start >= end) return [];
    const { working_hours, tzid } = input;
    return working_hours && tzid ? workingHours(working_hours, tzid.zone, { start, end }) : [{ start, end }];
  });
  const isLate = sent.some(({ end }) => end > latest);
  const isEarly = sent.some(({ start }) => start < earliest);
  return { periods, horizon: isLate ? latest : isEarly ? earliest : null };
}

/** Collects the entries of each account, in the order in which the groups first name it. */
function listedMembers(groups: readonly Group[]): Map<string, Listed[]> {
  return groupedBy(
    groups.flatMap(({ members }) => members),
    ({ sub }) => sub,
  );
}

/** Joins the entries of an account, which counts once: all its calendars, and only the time that every entry allows. */
function wantedOf(entries: readonly Listed[]): Wanted {
  const named = entries.map(({ calendar_ids }) => calendar_ids);
  return {
    sub: entries[0]?.sub ?? "",
    calendarIds: named.every((ids) => ids !== undefined) ? new Set(named.flat()) : null,
    onlyManaged: entries.every(({ only_managed }) => only_managed === true),
  };
}

function memberOf({ problem }: MemberTime, busy: readonly Interval[], entries: readonly Listed[]): Member {
  let within: Interval[] | null = null;
  for (const { available_periods } of entries) {
    if (available_periods) within = within ? intersect(within, union(available_periods)) : union(available_periods);
  }
  return { busy, within, isProblem: problem !== null };
}

function refuseUnknown(groups: readonly Group[], known: ReadonlyMap<string, MemberTime>): void {
  const issues = groups.flatMap(({ members }, group) =>
    members.flatMap((member, place) => unknownIssues(["participants", group, "members", place], member, known)),
  );
  if (issues.length > 0) throw invalid(...issues);
}

function problemsOf(known: ReadonlyMap<string, MemberTime>, horizon: Instant | null): AvailabilityShape["problems"] {
  return [...known.values()].flatMap(({ sub, problem }) => [
    ...(problem ? [shownProblem(sub, problem)] : []),
    ...(horizon ? [shownProblem(sub, { reason: "beyond_horizon", since: horizon })] : []),
  ]);
}

function explained(question: Question, known: ReadonlyMap<string, MemberTime>): AvailabilityShape["unavailable"] {
  const problems = new Map<string, ProblemReason>();
  for (const { sub, problem } of known.values()) if (problem) problems.set(sub, problem.reason);
  return unavailableTime(question, problems)
    .slice(0, MAX_AVAILABILITY_RESULTS)
    .map(({ sub, start, end, reason }) => ({ sub, start: formatInstant(start), end: formatInstant(end), reason }));
}

function shownOffer({ start, end, participants }: Offer) {
  return { start: formatInstant(start), end: formatInstant(end), participants: participants.map((sub) => ({ sub })) };
}
