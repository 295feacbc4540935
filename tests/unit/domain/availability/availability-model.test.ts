import { describe, expect, it } from "vitest";
import { availability } from "@/server/domain/availability/availability";
import type { Interval } from "@/server/domain/availability/intervals";
import type { Group, Member, Offer, OfferFormat, Question } from "@/server/domain/availability/question";
import type { Instant } from "@/server/domain/time/instant";
import { faultsOf, GRID } from "@/tests/unit/domain/availability/brute-force";
import { seeded } from "@/tests/unit/recurrence/rfc5545/random-rules";

const CASES = 4000;
const MINUTE_MS = 60_000;
const names = ["ann", "bob", "cy", "di", "eve"];

/** A random question whose times are whole minutes from 0 to GRID; events may lie beyond. */
function randomQuestion(seed: number, format: OfferFormat): Question {
  const random = seeded(seed);
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const several = <Kind>(from: number, to: number, make: () => Kind) => Array.from({ length: whole(from, to) }, make);
  const interval = (from: number, to: number, longest: number): Interval => {
    const start = whole(from, to);
    return { start: start as Instant, end: Math.min(start + whole(0, longest), to) as Instant };
  };
  const member = (): Member => ({
    busy: several(0, 4, () => interval(-6, GRID + 6, 5)),
    within: random() < 0.7 ? null : several(1, 4, () => interval(-3, GRID + 3, 14)),
    isProblem: random() < 0.08,
  });
  const group = (): Group => ({
    members: several(2, 6, () => names[whole(0, 4)] ?? ""),
    required: random() < 0.25 ? "all" : Math.floor(4 * random() * random()),
  });
  return {
    groups: several(1, 3, group),
    // Now and then somebody is unknown.
    members: new Map(names.filter(() => random() < 0.97).map((name) => [name, member()])),
    periods: several(1, 4, () => interval(0, GRID, GRID)),
    durationMs: whole(1, 5),
    before: random() < 0.5 ? 0 : whole(1, 3),
    after: random() < 0.5 ? 0 : whole(1, 3),
    format,
    intervalMs: whole(1, 5),
    most: random() < 0.2 ? whole(1, 3) : 512,
  };
}

/** The same question with minutes that last as long as minutes do. */
function inMinutes(question: Question): Question {
  const longer = (all: readonly Interval[]) =>
    all.map(({ start, end }) => ({ start: (start * MINUTE_MS) as Instant, end: (end * MINUTE_MS) as Instant }));
  const members = [...question.members].map(([name, { busy, within, isProblem }]): [string, Member] => [
    name,
    { busy: longer(busy), within: within && longer(within), isProblem },
  ]);
  const { before, after, durationMs, intervalMs } = question;
  return {
    ...question,
    members: new Map(members),
    periods: longer(question.periods),
    before: before * MINUTE_MS,
    after: after * MINUTE_MS,
    durationMs: durationMs * MINUTE_MS,
    intervalMs: intervalMs * MINUTE_MS,
  };
}

function fromMinutes(offers: Offer[]): Offer[] {
  return offers.map(({ start, end, participants }) => ({
    start: (start / MINUTE_MS) as Instant,
    end: (end / MINUTE_MS) as Instant,
    participants,
  }));
}

describe("availability beside brute force", () => {
  it.each<OfferFormat>(["periods", "overlapping_slots", "slots"])("offers the same %s", (format) => {
    const counts = { offered: 0, several: 0, overlapping: 0, cut: 0 };
    for (let seed = 1; seed <= CASES; seed++) {
      const question = randomQuestion(seed, format);
      const offers = availability(question);
      expect(faultsOf(question, offers), `seed ${seed}`).toEqual([]);
      expect(fromMinutes(availability(inMinutes(question))), `seed ${seed} in minutes`).toEqual(offers);
      if (offers.length > 0) counts.offered++;
      if (offers.length > 1) counts.several++;
      if (offers.some(({ end }, index) => (offers[index + 1]?.start ?? end) < end)) counts.overlapping++;
      if (offers.length === question.most) counts.cut++;
    }
    // The questions are of some use: many have answers.
    expect(counts.offered).toBeGreaterThan(CASES / 4);
    expect(counts.several).toBeGreaterThan(CASES / 20);
    expect(counts.cut).toBeGreaterThan(CASES / 40);
    if (format === "slots") expect(counts.overlapping).toBe(0);
    else expect(counts.overlapping).toBeGreaterThan(CASES / 80);
  });
});
