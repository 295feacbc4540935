import type { Interval } from "@/server/domain/availability/intervals";
import type { Member, Offer, Question } from "@/server/domain/availability/question";

/**
 * Answers questions by looking at every minute from 0 to `GRID`: within it lie all periods, and all times are whole minutes (milliseconds
 * by their type).
 */
export const GRID = 24;

/** What is wrong with the offers for a question. */
export function faultsOf(question: Question, offers: Offer[]): string[] {
  const found = offers.map(text);
  const expected = (question.format === "periods" ? longest(question) : slots(question)).slice(0, question.most);
  const faults = `${found}` === `${expected}` ? [] : [`${found.join(", ")} instead of ${expected.join(", ")}`];
  return question.format === "periods" ? [...faults, ...faultsOfPeriods(question, offers)] : faults;
}

function faultsOfPeriods(question: Question, offers: Offer[]): string[] {
  const { durationMs, most } = question;
  const faults: string[] = [];
  for (let at = 0; at + durationMs <= GRID && offers.length < most; at++) {
    const isOffered = offers.some(({ start, end }) => start <= at && at + durationMs <= end);
    if (isGood(question, at, at + durationMs) && !isOffered) faults.push(`the slot at ${at} lies in no entry`);
  }
  for (const offer of offers) {
    const { start, end, participants } = offer;
    if (`${participants}` !== `${freeFor(question, start, end)}`) faults.push(`${text(offer)}: others are free`);
    if (!isGood(question, start, end)) faults.push(`${text(offer)}: not enough`);
    if (end - start < durationMs) faults.push(`${text(offer)}: too short`);
    if (isGood(question, start - 1, end)) faults.push(`${text(offer)}: could begin earlier`);
    if (isGood(question, start, end + 1)) faults.push(`${text(offer)}: could end later`);
    const around = offers.filter((other) => other !== offer && other.start <= start && end <= other.end);
    if (around.length > 0) faults.push(`${text(offer)}: lies within another`);
  }
  const order = offers.map(({ start, end }) => start * 1000 + end);
  if (order.some((one, index) => one <= (order[index - 1] ?? -1))) faults.push("out of order");
  return faults;
}

function text({ start, end, participants }: { start: number; end: number; participants: string[] }): string {
  return `${start}–${end} ${participants.join("+")}`;
}

function longest(question: Question): string[] {
  const found: string[] = [];
  for (let start = 0; start < GRID; start++) {
    for (let end = start + question.durationMs; end <= GRID; end++) {
      const canGrow = isGood(question, start - 1, end) || isGood(question, start, end + 1);
      if (canGrow || !isGood(question, start, end)) continue;
      found.push(text({ start, end, participants: freeFor(question, start, end) }));
    }
  }
  return found;
}

function slots(question: Question): string[] {
  const { periods, durationMs, intervalMs, format } = question;
  const found: string[] = [];
  let over = 0;
  for (let start = 0; start < GRID; start++) {
    const begins = periods.some(
      (one) => one.start <= start && start < one.end && (start - one.start) % intervalMs === 0,
    );
    const end = start + durationMs;
    if (!begins || start < over || !isGood(question, start, end)) continue;
    found.push(text({ start, end, participants: freeFor(question, start, end) }));
    if (format === "slots") over = end;
  }
  return found;
}

function isGood(question: Question, start: number, end: number): boolean {
  if (!covers(question.periods, start, end)) return false;
  const free = freeFor(question, start, end);
  return question.groups.every(({ members, required }) => {
    const missing = members.filter((name) => !free.includes(name));
    return required === "all" ? missing.length === 0 : free.filter((name) => members.includes(name)).length >= required;
  });
}

function freeFor({ groups, members, before, after }: Question, start: number, end: number): string[] {
  const names = groups.flatMap((group) => group.members);
  const isFree = (member: Member | undefined) =>
    member !== undefined &&
    !member.isProblem &&
    (member.within === null || covers(member.within, start, end)) &&
    !member.busy.some((event) => meets(event, start - before, end + after));
  return names.filter((name, index) => names.indexOf(name) === index && isFree(members.get(name)));
}

/** Whether every minute lies in one of the intervals. */
function covers(intervals: readonly Interval[], start: number, end: number): boolean {
  for (let minute = start; minute < end; minute++) {
    if (!intervals.some((one) => one.start <= minute && minute < one.end)) return false;
  }
  return true;
}

/** Whether an event has a minute in common with some time. */
function meets(event: Interval, start: number, end: number): boolean {
  for (let minute: number = event.start; minute < event.end; minute++) {
    if (start <= minute && minute < end) return true;
  }
  return false;
}
