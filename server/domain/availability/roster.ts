import { type Interval, intersect, subtract, union } from "@/server/domain/availability/intervals";
import type { Group, Member, Question } from "@/server/domain/availability/question";
import { takenTime } from "@/server/domain/availability/unavailable";
import type { Instant } from "@/server/domain/time/instant";

/** The free time of a member, merged. */
export interface Lane {
  /** Null for the query periods, which count as a member that all offers need. */
  name: string | null;
  free: readonly Interval[];
  /** The groups that the member is in, each once. */
  groups: readonly number[];
}

/** Who is free when, and how many each group needs. */
export interface Roster {
  lanes: readonly Lane[];
  needs: readonly number[];
}

/** A stretch of time in which the same lanes are free. */
export interface Stretch extends Interval {
  /** Whether the free time of a lane begins with the stretch. */
  begins: boolean;
  /** The lanes that are free and their free time around the stretch. The next stretch changes it. */
  free: ReadonlyMap<Lane, Interval>;
}

/** Lays out the free time of everyone that a question names: where an offer with its buffers may lie. */
export function rosterOf(question: Question): Roster {
  const periods = union(question.periods);
  const lanes: Lane[] = [{ name: null, free: periods, groups: [0] }];
  for (const [name, groups] of groupsByMember(question.groups)) {
    const member = question.members.get(name);
    lanes.push({ name, groups, free: member ? freeTime(member, periods, question) : [] });
  }
  return { lanes, needs: [1, ...question.groups.map(needOf)] };
}

/** Lists the groups of each member, in the order in which they name members. The first group is that of the query periods. */
function groupsByMember(groups: readonly Group[]): Map<string, number[]> {
  const byMember = new Map<string, number[]>();
  for (const [index, { members }] of groups.entries()) {
    for (const name of new Set(members)) {
      const known = byMember.get(name);
      if (known) known.push(index + 1);
      else byMember.set(name, [index + 1]);
    }
  }
  return byMember;
}

function needOf({ members, required }: Group): number {
  return required === "all" ? new Set(members).size : required;
}

function freeTime(member: Member, periods: readonly Interval[], question: Question): Interval[] {
  if (member.isProblem) return [];
  const own = member.within ? intersect(periods, union(member.within)) : periods;
  return subtract(own, takenTime(member, question));
}

/** Walks through the time in which every group has enough, in order, from one change of who is free to the next. */
export function* stretchesOf({ lanes, needs }: Roster): Generator<Stretch, void, undefined> {
  const tally = tallyOf(needs);
  const free = new Map<Lane, Interval>();
  const changes = changesOf(lanes);
  let begins = false;
  for (const [index, { at, lane, begun }] of changes.entries()) {
    if (begun) {
      begins = true;
      free.set(lane, begun);
      tally.add(lane);
    } else {
      free.delete(lane);
      tally.remove(lane);
    }
    const next = changes[index + 1];
    if (!next || next.at === at) continue;
    if (tally.isEnough()) yield { start: at, end: next.at, begins, free };
    begins = false;
  }
}

interface Change {
  at: Instant;
  lane: Lane;
  /** The free time that begins. Null where it ends. */
  begun: Interval | null;
}

function changesOf(lanes: readonly Lane[]): Change[] {
  const changes: Change[] = [];
  for (const lane of lanes) {
    for (const one of lane.free) {
      changes.push({ at: one.start, lane, begun: one }, { at: one.end, lane, begun: null });
    }
  }
  // Stable: no two pieces of a lane touch, so their order is kept.
  return changes.sort((one, other) => one.at - other.at);
}

/** A count of who is free in each group. */
export interface Tally {
  add(lane: Lane): void;
  remove(lane: Lane): void;
  /** Whether every group has as many as it needs. */
  isEnough(): boolean;
}

/** Begins a count with nobody. */
export function tallyOf(needs: readonly number[]): Tally {
  const missing = [...needs];
  let short = needs.filter((need) => need > 0).length;
  const change = (group: number, by: number) => {
    const left = (missing[group] ?? 0) + by;
    missing[group] = left;
    return left;
  };
  return {
    add({ groups }) {
      for (const group of groups) if (change(group, -1) === 0) short--;
    },
    remove({ groups }) {
      for (const group of groups) if (change(group, 1) === 1) short++;
    },
    isEnough: () => short === 0,
  };
}

/** Names the members whose lanes are given, in the order of the roster. */
export function participantsOf({ lanes }: Roster, isIn: (lane: Lane) => boolean): string[] {
  return lanes.flatMap((lane) => (lane.name !== null && isIn(lane) ? [lane.name] : []));
}
