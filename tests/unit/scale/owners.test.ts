import { expect, it } from "vitest";
import type { Post } from "@/tests/rig/receivers";
import { metDeaths, unexplained } from "@/tests/scale/owners";

const post = (at: number, answeredAt: number | null) => ({ id: "d1", attempt: 1, at, answeredAt }) as Post;
const owners = [{ id: "d1", by: "worker-1", at: 0 }];
const death = (waitedMs: number) => ({ name: "worker-1", at: 1_000, spentSince: () => ({ ranMs: 7, waitedMs }) });

it("a notification that was in flight, or answered shortly before the death, may come again", () => {
  for (const answeredAt of [null, 1_000, 951]) {
    expect(unexplained([post(900, answeredAt), post(2_000, 2_100)], owners, [death(0)])).toEqual({
      others: 0,
      late: [],
    });
  }
});

it("one that was answered earlier is told, and counts where the process could have stored it", () => {
  const posts = [post(800, 940), post(2_000, 2_100)];
  expect(unexplained(posts, owners, [death(0)])).toEqual({ others: 1, late: [{ ageMs: 60, ranMs: 7, waitedMs: 0 }] });
  expect(unexplained(posts, owners, [death(10)])).toEqual({ others: 1, late: [{ ageMs: 60, ranMs: 7, waitedMs: 10 }] });
  expect(unexplained(posts, owners, [death(11)])).toEqual({ others: 0, late: [{ ageMs: 60, ranMs: 7, waitedMs: 11 }] });
});

it("one whose process was not killed counts", () => {
  const posts = [post(900, 950), post(2_000, 2_100)];
  expect(unexplained(posts, owners, [])).toEqual({ others: 1, late: [] });
  expect(unexplained(posts, [], [death(0)])).toEqual({ others: 1, late: [] });
});

it("a death meets what its process has in flight, or had answered shortly before", () => {
  const met = (at: number, answeredAt: number | null) => metDeaths([post(at, answeredAt)], owners, [death(0)]);
  expect([met(900, null), met(900, 1_000), met(900, 951)]).toEqual([1, 1, 1]);
  expect([met(900, 950), met(1_001, null)]).toEqual([0, 0]);
  expect(metDeaths([post(900, null)], [{ id: "d1", by: "worker-2", at: 0 }], [death(0)])).toBe(0);
});
