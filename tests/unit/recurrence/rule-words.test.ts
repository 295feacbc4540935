import { describe, expect, it } from "vitest";
import { ruleInWords } from "@/server/domain/recurrence/rule-words";

describe("a rule in words", () => {
  it.each([
    ["FREQ=DAILY", "every day"],
    ["FREQ=DAILY;INTERVAL=2;COUNT=5", "every 2 days for 5 times"],
    ["FREQ=WEEKLY;BYDAY=TU", "every week on Tuesday"],
    ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"],
    ["FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;WKST=MO", "every 2 weeks on Monday, Friday"],
    ["FREQ=MONTHLY;BYDAY=-1FR", "every month on the last Friday"],
    ["FREQ=MONTHLY;BYMONTHDAY=15", "every month on the 15th"],
    ["FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "every March on the last Sunday"],
    ["FREQ=HOURLY;INTERVAL=3", "every 3 hours"],
  ])("%s is %s", (rrule, words) => {
    expect(ruleInWords(rrule, null)).toBe(words);
  });

  it("ends with the day that it ends on in the event's zone, not in UTC", () => {
    const rule = (until: string) => `FREQ=WEEKLY;BYDAY=TU;UNTIL=${until}`;
    expect(ruleInWords(rule("20270303T225959Z"), "Europe/Madrid")).toBe("every week on Tuesday until 3 March 2027");
    expect(ruleInWords(rule("20270303T230000Z"), "Europe/Madrid")).toBe("every week on Tuesday until 4 March 2027");
    expect(ruleInWords(rule("20270304T070000Z"), "America/Los_Angeles")).toBe(
      "every week on Tuesday until 3 March 2027",
    );
    expect(ruleInWords(rule("20270303"), "Europe/Madrid")).toBe("every week on Tuesday until 3 March 2027");
    expect(ruleInWords(rule("20270303T233000"), "Europe/Madrid")).toBe("every week on Tuesday until 3 March 2027");
  });

  it.each([
    "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1",
    "FREQ=MONTHLY;BYMONTHDAY=-1",
    "FREQ=DAILY;BYMINUTE=5",
    "FREQ=DAILY;BYHOUR=9,10",
    "FREQ=YEARLY;BYWEEKNO=20",
    "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
    "FREQ=DAILY;INTERVAL=0",
    "FREQ=WEEKLY;BYDAY=XX",
    "FREQ=WEEKLY;BYDAY=MO,",
    "FREQ=WEEKLY;X-TITLE=Planning",
    "FREQ=WEEKLY;BYDAY",
    "FREQ=WEEKLY;UNTIL=20271399",
    "BYDAY=MO",
    "FREQ=NEVER",
    "",
    `FREQ=WEEKLY;BYDAY=${"MO,".repeat(400)}MO`,
  ])("%s, which rrule describes wrongly or not at all, has none", (rrule) => {
    expect(ruleInWords(rrule, null)).toBeNull();
  });
});
