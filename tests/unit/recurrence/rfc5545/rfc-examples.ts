export interface RfcExample {
  /** The RFC's own words. */
  name: string;
  start: string;
  rules: string[];
  exdate?: string;
  /** What the RFC prints: year, EST or EDT, months with days; at 09:00, or at the times after `at`. */
  prints: string;
  /** Whether the RFC ends with "..." */
  goesOn?: true;
}

const tuesday = "19970902T090000";
const everyTwentyMinutes = [9, 10, 11, 12, 13, 14, 15, 16]
  .flatMap((hour) => ["00", "20", "40"].map((minute) => `${String(hour).padStart(2, "0")}:${minute}`))
  .join(",");

/** RFC 5545 §3.8.5.3, all examples, in its order; "All examples assume the Eastern United States time zone". */
export const rfcExamples: RfcExample[] = [
  { name: "Daily for 10 occurrences", start: tuesday, rules: ["FREQ=DAILY;COUNT=10"], prints: "1997 EDT Sep 2-11" },
  {
    name: "Daily until December 24, 1997",
    start: tuesday,
    rules: ["FREQ=DAILY;UNTIL=19971224T000000Z"],
    prints: "1997 EDT Sep 2-30 Oct 1-25 EST Oct 26-31 Nov 1-30 Dec 1-23",
  },
  {
    name: "Every other day - forever",
    start: tuesday,
    rules: ["FREQ=DAILY;INTERVAL=2"],
    prints:
      "1997 EDT Sep 2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 Oct 2,4,6,8,10,12,14,16,18,20,22,24 EST Oct 26,28,30 " +
      "Nov 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29 Dec 1,3",
    goesOn: true,
  },
  {
    name: "Every 10 days, 5 occurrences",
    start: tuesday,
    rules: ["FREQ=DAILY;INTERVAL=10;COUNT=5"],
    prints: "1997 EDT Sep 2,12,22 Oct 2,12",
  },
  {
    name: "Every day in January, for 3 years",
    start: "19980101T090000",
    rules: [
      "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
      "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1",
    ],
    prints: "1998 EST Jan 1-31 1999 EST Jan 1-31 2000 EST Jan 1-31",
  },
  {
    name: "Weekly for 10 occurrences",
    start: tuesday,
    rules: ["FREQ=WEEKLY;COUNT=10"],
    prints: "1997 EDT Sep 2,9,16,23,30 Oct 7,14,21 EST Oct 28 Nov 4",
  },
  {
    name: "Weekly until December 24, 1997",
    start: tuesday,
    rules: ["FREQ=WEEKLY;UNTIL=19971224T000000Z"],
    prints: "1997 EDT Sep 2,9,16,23,30 Oct 7,14,21 EST Oct 28 Nov 4,11,18,25 Dec 2,9,16,23",
  },
  {
    name: "Every other week - forever",
    start: tuesday,
    rules: ["FREQ=WEEKLY;INTERVAL=2;WKST=SU"],
    prints: "1997 EDT Sep 2,16,30 Oct 14 EST Oct 28 Nov 11,25 Dec 9,23 1998 EST Jan 6,20 Feb 3,17",
    goesOn: true,
  },
  {
    name: "Weekly on Tuesday and Thursday for five weeks",
    start: tuesday,
    rules: ["FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH", "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH"],
    prints: "1997 EDT Sep 2,4,9,11,16,18,23,25,30 Oct 2",
  },
  {
    name: "Every other week on Monday, Wednesday, and Friday until December 24, 1997",
    start: "19970901T090000",
    rules: ["FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR"],
    prints: "1997 EDT Sep 1,3,5,15,17,19,29 Oct 1,3,13,15,17 EST Oct 27,29,31 Nov 10,12,14,24,26,28 Dec 8,10,12,22",
  },
  {
    name: "Every other week on Tuesday and Thursday, for 8 occurrences",
    start: tuesday,
    rules: ["FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH"],
    prints: "1997 EDT Sep 2,4,16,18,30 Oct 2,14,16",
  },
  {
    name: "Monthly on the first Friday for 10 occurrences",
    start: "19970905T090000",
    rules: ["FREQ=MONTHLY;COUNT=10;BYDAY=1FR"],
    prints: "1997 EDT Sep 5 Oct 3 EST Nov 7 Dec 5 1998 EST Jan 2 Feb 6 Mar 6 Apr 3 EDT May 1 Jun 5",
  },
  {
    name: "Monthly on the first Friday until December 24, 1997",
    start: "19970905T090000",
    rules: ["FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR"],
    prints: "1997 EDT Sep 5 Oct 3 EST Nov 7 Dec 5",
  },
  {
    name: "Every other month on the first and last Sunday of the month for 10 occurrences",
    start: "19970907T090000",
    rules: ["FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU"],
    prints: "1997 EDT Sep 7,28 EST Nov 2,30 1998 EST Jan 4,25 Mar 1,29 EDT May 3,31",
  },
  {
    name: "Monthly on the second-to-last Monday of the month for 6 months",
    start: "19970922T090000",
    rules: ["FREQ=MONTHLY;COUNT=6;BYDAY=-2MO"],
    prints: "1997 EDT Sep 22 Oct 20 EST Nov 17 Dec 22 1998 EST Jan 19 Feb 16",
  },
  {
    name: "Monthly on the third-to-the-last day of the month, forever",
    start: "19970928T090000",
    rules: ["FREQ=MONTHLY;BYMONTHDAY=-3"],
    prints: "1997 EDT Sep 28 EST Oct 29 Nov 28 Dec 29 1998 EST Jan 29 Feb 26",
    goesOn: true,
  },
  {
    name: "Monthly on the 2nd and 15th of the month for 10 occurrences",
    start: tuesday,
    rules: ["FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15"],
    prints: "1997 EDT Sep 2,15 Oct 2,15 EST Nov 2,15 Dec 2,15 1998 EST Jan 2,15",
  },
  {
    name: "Monthly on the first and last day of the month for 10 occurrences",
    start: "19970930T090000",
    rules: ["FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1"],
    prints: "1997 EDT Sep 30 Oct 1 EST Oct 31 Nov 1,30 Dec 1,31 1998 EST Jan 1,31 Feb 1",
  },
  {
    name: "Every 18 months on the 10th thru 15th of the month for 10 occurrences",
    start: "19970910T090000",
    rules: ["FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15"],
    prints: "1997 EDT Sep 10,11,12,13,14,15 1999 EST Mar 10,11,12,13",
  },
  {
    name: "Every Tuesday, every other month",
    start: tuesday,
    rules: ["FREQ=MONTHLY;INTERVAL=2;BYDAY=TU"],
    prints: "1997 EDT Sep 2,9,16,23,30 EST Nov 4,11,18,25 1998 EST Jan 6,13,20,27 Mar 3,10,17,24,31",
    goesOn: true,
  },
  {
    name: "Yearly in June and July for 10 occurrences",
    start: "19970610T090000",
    rules: ["FREQ=YEARLY;COUNT=10;BYMONTH=6,7"],
    prints:
      "1997 EDT Jun 10 Jul 10 1998 EDT Jun 10 Jul 10 1999 EDT Jun 10 Jul 10 2000 EDT Jun 10 Jul 10 2001 EDT Jun 10 Jul 10",
  },
  {
    name: "Every other year on January, February, and March for 10 occurrences",
    start: "19970310T090000",
    rules: ["FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3"],
    prints: "1997 EST Mar 10 1999 EST Jan 10 Feb 10 Mar 10 2001 EST Jan 10 Feb 10 Mar 10 2003 EST Jan 10 Feb 10 Mar 10",
  },
  {
    name: "Every third year on the 1st, 100th, and 200th day for 10 occurrences",
    start: "19970101T090000",
    rules: ["FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200"],
    prints:
      "1997 EST Jan 1 EDT Apr 10 Jul 19 2000 EST Jan 1 EDT Apr 9 Jul 18 2003 EST Jan 1 EDT Apr 10 Jul 19 2006 EST Jan 1",
  },
  {
    name: "Every 20th Monday of the year, forever",
    start: "19970519T090000",
    rules: ["FREQ=YEARLY;BYDAY=20MO"],
    prints: "1997 EDT May 19 1998 EDT May 18 1999 EDT May 17",
    goesOn: true,
  },
  {
    name: "Monday of week number 20 (where the default start of the week is Monday), forever",
    start: "19970512T090000",
    rules: ["FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO"],
    prints: "1997 EDT May 12 1998 EDT May 11 1999 EDT May 17",
    goesOn: true,
  },
  {
    name: "Every Thursday in March, forever",
    start: "19970313T090000",
    rules: ["FREQ=YEARLY;BYMONTH=3;BYDAY=TH"],
    prints: "1997 EST Mar 13,20,27 1998 EST Mar 5,12,19,26 1999 EST Mar 4,11,18,25",
    goesOn: true,
  },
  {
    name: "Every Thursday, but only during June, July, and August, forever",
    start: "19970605T090000",
    rules: ["FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8"],
    prints:
      "1997 EDT Jun 5,12,19,26 Jul 3,10,17,24,31 Aug 7,14,21,28 1998 EDT Jun 4,11,18,25 Jul 2,9,16,23,30 Aug 6,13,20,27 " +
      "1999 EDT Jun 3,10,17,24 Jul 1,8,15,22,29 Aug 5,12,19,26",
    goesOn: true,
  },
  {
    name: "Every Friday the 13th, forever",
    start: tuesday,
    exdate: tuesday,
    rules: ["FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13"],
    prints: "1998 EST Feb 13 Mar 13 Nov 13 1999 EDT Aug 13 2000 EDT Oct 13",
    goesOn: true,
  },
  {
    name: "The first Saturday that follows the first Sunday of the month, forever",
    start: "19970913T090000",
    rules: ["FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13"],
    prints: "1997 EDT Sep 13 Oct 11 EST Nov 8 Dec 13 1998 EST Jan 10 Feb 7 Mar 7 EDT Apr 11 May 9 Jun 13",
    goesOn: true,
  },
  {
    name: "Every 4 years, the first Tuesday after a Monday in November, forever (U.S. Presidential Election day)",
    start: "19961105T090000",
    rules: ["FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8"],
    prints: "1996 EST Nov 5 2000 EST Nov 7 2004 EST Nov 2",
    goesOn: true,
  },
  {
    name: "The third instance into the month of one of Tuesday, Wednesday, or Thursday, for the next 3 months",
    start: "19970904T090000",
    rules: ["FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3"],
    prints: "1997 EDT Sep 4 Oct 7 EST Nov 6",
  },
  {
    name: "The second-to-last weekday of the month",
    start: "19970929T090000",
    rules: ["FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2"],
    prints: "1997 EDT Sep 29 EST Oct 30 Nov 27 Dec 30 1998 EST Jan 29 Feb 26 Mar 30",
    goesOn: true,
  },
  {
    // The RFC prints UNTIL=19970902T170000Z, which is 13:00 in New York; its erratum 3883 corrects that to 21:00 UTC.
    name: "Every 3 hours from 9:00 AM to 5:00 PM on a specific day",
    start: tuesday,
    rules: ["FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z"],
    prints: "1997 EDT Sep 2 at 09:00,12:00,15:00",
  },
  {
    name: "Every 15 minutes for 6 occurrences",
    start: tuesday,
    rules: ["FREQ=MINUTELY;INTERVAL=15;COUNT=6"],
    prints: "1997 EDT Sep 2 at 09:00,09:15,09:30,09:45,10:00,10:15",
  },
  {
    name: "Every hour and a half for 4 occurrences",
    start: tuesday,
    rules: ["FREQ=MINUTELY;INTERVAL=90;COUNT=4"],
    prints: "1997 EDT Sep 2 at 09:00,10:30,12:00,13:30",
  },
  {
    name: "Every 20 minutes from 9:00 AM to 4:40 PM every day",
    start: tuesday,
    rules: [
      "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
      "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16",
    ],
    prints: `1997 EDT Sep 2 at ${everyTwentyMinutes} Sep 3 at ${everyTwentyMinutes}`,
    goesOn: true,
  },
  {
    name: "An example where the days generated makes a difference because of WKST",
    start: "19970805T090000",
    rules: ["FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO"],
    prints: "1997 EDT Aug 5,10,19,24",
  },
  {
    name: "changing only WKST from MO to SU, yields different results",
    start: "19970805T090000",
    rules: ["FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU"],
    prints: "1997 EDT Aug 5,17,19,31",
  },
  {
    name: "An example where an invalid date (i.e., February 30) is ignored",
    start: "20070115T090000",
    rules: ["FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5"],
    prints: "2007 EST Jan 15,30 Feb 15 EDT Mar 15,30",
  },
];
