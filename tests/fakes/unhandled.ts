import { onTestFinished, vi } from "vitest";

/** Called with each rejection that nobody handles while the running test goes on. */
export function noteUnhandled() {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  onTestFinished(() => void process.off("unhandledRejection", unhandled));
  return unhandled;
}
