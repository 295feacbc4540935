import { clock } from "@/server/clock";

/** Holds this process's event loop, as long work in one piece does. */
export function holdEventLoop(ms: number): void {
  const until = clock().monotonic() + ms;
  while (clock().monotonic() < until);
}
