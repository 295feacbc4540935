import { afterEach, expect, it } from "vitest";
import type { Instant } from "@/server/domain/time/instant";
import { dayInWords, spanInWords } from "@/server/domain/time/zoned-words";

const at = (text: string) => Date.parse(text) as Instant;
const HOUR_MS = 3_600_000;
/** Around the changes of these zones' clocks. */
const jumps = ["2026-03-08", "2026-03-29", "2026-04-04", "2026-09-05", "2026-10-03", "2026-11-01"];
const own = process.env.TZ;
afterEach(() => {
  if (own === undefined) delete process.env.TZ;
  else process.env.TZ = own;
});

it("says when an event is in its zone", () => {
  const meeting = { starts: at("2026-03-03T09:00Z"), ends: at("2026-03-03T10:30Z"), allDay: false };
  expect(spanInWords(meeting, "Europe/Madrid")).toBe("Tue 3 Mar 2026 10:00 – 11:30 Europe/Madrid");
  expect(spanInWords(meeting, null)).toBe("Tue 3 Mar 2026 09:00 – 10:30 UTC");
  expect(spanInWords({ ...meeting, ends: at("2026-03-04T01:00Z") }, "Asia/Kolkata")).toBe(
    "Tue 3 Mar 2026 14:30 – Wed 4 Mar 2026 06:30 Asia/Kolkata",
  );
  const days = { starts: at("2026-03-03"), ends: at("2026-03-05"), allDay: true };
  expect(spanInWords(days, "America/New_York")).toBe("Tue 3 Mar 2026 – Wed 4 Mar 2026");
  expect(spanInWords({ ...days, ends: at("2026-03-04") }, null)).toBe("Tue 3 Mar 2026");
});

it.each(["America/New_York", "Australia/Lord_Howe", "America/Santiago"])(
  "says the same where the clocks of the process jump: %s",
  (tz) => {
    process.env.TZ = tz;
    for (const zone of ["UTC", "Europe/Berlin", "Asia/Kolkata", tz]) {
      const format = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
      const time = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeStyle: "short" });
      for (const day of jumps) {
        for (let starts = at(day); starts < at(day) + 48 * HOUR_MS; starts = (starts + HOUR_MS / 2) as Instant) {
          expect(dayInWords(starts, zone, "yyyy-MM-dd")).toBe(format.format(starts));
          expect(spanInWords({ starts, ends: starts, allDay: false }, zone)).toContain(` ${time.format(starts)} – `);
        }
      }
    }
  },
);
