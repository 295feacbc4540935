import { clock } from "@/server/clock";

/** A time that several steps share once it has begun. */
export interface SharedTime {
  begin(): void;
  /** All of it before it has begun. */
  leftMs(): number;
}

export function sharedTime(ms: number): SharedTime {
  let until: number | undefined;
  return {
    begin() {
      until ??= clock().monotonic() + ms;
    },
    leftMs: () => (until === undefined ? ms : Math.max(0, until - clock().monotonic())),
  };
}
