import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { showProgress } from "@/server/front-door/build-progress.mjs";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function shown(isTTY: boolean, seconds: number): string {
  let text = "";
  const end = showProgress("Building", { isTTY, write: (more: string) => (text += more) });
  vi.advanceTimersByTime(seconds * 1_000);
  end((took) => `Built in ${took}.`);
  vi.advanceTimersByTime(60_000);
  return text;
}

it("shows how long something has gone on, a line every five seconds where nobody sits at a terminal", () => {
  expect(shown(false, 12)).toBe("Building…\n  5 s\n  10 s\nBuilt in 12 s.\n");
});

it("shows it on one line of a terminal, each second, which the last line replaces", () => {
  const lines = shown(true, 2).split("\r");
  expect(lines).toEqual(["Building…\n", "  1 s", "  2 s", "\u001b[KBuilt in 2 s.\n"]);
});
