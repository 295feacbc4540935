/**
 * Why Almanac reads an event otherwise than others do, the first that fits. `test`: whether an event may differ for that reason, by its
 * text, that of its file (both unfolded), and what was compared.
 * @type {readonly {reason: string, test: (of: {text: string, file: string, event: any}) => boolean}[]}
 */
const reasons = [
  {
    reason: "RSCALE and SKIP (RFC 7529) are not read: the event stands on its first day",
    test: ({ text }) => /^RRULE.*RSCALE=/m.test(text),
  },
  {
    reason: "EXRULE counts (RFC 2445): ical.js and dateutil do not read it",
    test: ({ text }) => /^EXRULE/m.test(text),
  },
  {
    reason: "RDATE with a period lasts as long as the period: ical.js and dateutil cannot read it, libical skips it",
    test: ({ text }) => /^RDATE[^\n]*(?:PERIOD|\d\/[P\d])/m.test(text),
  },
  {
    reason: "THISANDFUTURE moves what follows (ADR 94): libical and dateutil change one occurrence",
    test: ({ text }) => /^RECURRENCE-ID[^:\n]*THISANDFUTURE/m.test(text),
  },
  {
    reason: "of several masters or overrides of one UID the highest SEQUENCE counts, the last of equal ones",
    test: ({ text }) => isRepeated(text),
  },
  {
    reason: "COUNT below 1, INTERVAL 0 and members that cannot be read are left out (table of rules)",
    test: ({ text }) =>
      /^RRULE.*(?:COUNT=-|COUNT=0|INTERVAL=0|UNTL=|UNTIL=\d{4}(?:1[3-9]|[2-9]\d)|BYDAY=[^;\n]*[A-Z]{3}|(COUNT|UNTIL)=[^\n]*;\1=)/m.test(
        text,
      ),
  },
  {
    reason: "a length in another spelling or with a sign is that length (table of lengths)",
    test: ({ text }) => /^DURATION[^:\n]*:(?!P(?:\d+W|(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)\s*$)/m.test(text),
  },
  {
    reason: "an end that cannot be read, or lies before the start, makes an hour (ADR 92)",
    test: ({ text, event }) => event.difference === "another end" && hasOddEnd(text),
  },
  {
    reason: "an all-day event lasts at least one day: ical.js and libical let it end as it begins",
    test: ({ event: { added, missing } }) =>
      missing.some((span) => isEmptyDay(span)) ||
      (added.every(isDays) && missing.every(isDays) && added.length > 0 && missing.some((span) => endsBefore(span))),
  },
  {
    reason:
      "an end without a zone is on the clock of the start (ADR 92): ical.js and libical end it in UTC, before it begins",
    test: ({ text, event }) =>
      /^DTSTART;TZID/m.test(text) && /^DTEND:\d{8}T\d{6}\s*$/m.test(text) && !isStart(event, text),
  },
  {
    reason: "BYWEEKNO without BYDAY means the weekday of DTSTART (RFC 5545 §3.3.10)",
    test: ({ text }) => /^RRULE.*BYWEEKNO/m.test(text) && !/^RRULE.*BYDAY/m.test(text),
  },
  {
    reason:
      "DTSTART is the first occurrence even where the rule does not meet it, or ends before it (RFC 5545 §3.3.10)",
    test: ({ text, event }) => isStart(event, text),
  },
  {
    reason: "an hour behind VALUE=DATE is read (ADR 92): ical.js reads the day",
    test: ({ text }) => /^DTSTART;VALUE=DATE:\d{8}T/m.test(text),
  },
  {
    reason: "a date in another spelling is read as far as it can be (table of dates)",
    test: ({ text }) => /^DT(?:START|END)[^\n]*:(?!\d{8}(?:T\d{6}Z?)?\s*$)/m.test(text.replace(/"[^"\n]*"/g, "")),
  },
  {
    reason: "X-WR-TIMEZONE is the zone of times without one: ical.js and libical read UTC",
    test: ({ text, file }) =>
      /^X-WR-TIMEZONE/m.test(file) && /^DTSTART(?:;VALUE=DATE-TIME)?:\d{8}T\d{6}\s*$/m.test(text),
  },
  {
    reason: "the name of a zone is understood without a VTIMEZONE (table of zones): the others read UTC",
    test: ({ text, file }) => zonesIn(text).some((name) => !isDescribed(name, file)),
  },
  {
    reason: "an UNTIL, EXDATE or RECURRENCE-ID without a zone is on the clock of DTSTART (RFC 5545 §3.8.5.1)",
    test: ({ text }) =>
      /^DTSTART;TZID/m.test(text) &&
      (/^(?:EXDATE|RECURRENCE-ID):\d{8}T\d{6}\s*$/m.test(text) || /^RRULE.*UNTIL=\d{8}T\d{6}(?:;|\s*$)/m.test(text)),
  },
  {
    reason: "a time in the hour that clocks repeat is the first of both (RFC 5545 §3.3.5)",
    test: ({ text, event }) => /^RRULE/m.test(text) && isOneHourBefore(event),
  },
  {
    reason: "a zone of the tz database has its rules, not those of a VTIMEZONE of the same name that a law outdated",
    test: ({ text, event }) => zonesIn(text).length > 0 && isShifted(event),
  },
  {
    reason: "an EXDATE of midnight takes its day from a series at another hour (ADR 92)",
    test: ({ text }) => /^EXDATE[^\n]*T000000/m.test(text),
  },
  {
    reason: "a time in the dates of an all-day series is its day (ADR 92)",
    test: ({ text }) =>
      /^DTSTART[^:\n]*:\d{8}\s*$/m.test(text) && /^(?:RDATE|EXDATE|RECURRENCE-ID)[^\n]*\dT\d/m.test(text),
  },
  {
    reason: "an all-day event that ends at a time takes that day too (ADR 92)",
    test: ({ text }) => /^DTSTART;VALUE=DATE:\d{8}\s*$/m.test(text) && /^DTEND[^\n]*:\d{8}T/m.test(text),
  },
  {
    reason: "one other reader at most can read the file or the event",
    test: ({ event }) => (event.unread ?? []).length >= 2,
  },
];

/**
 * The reason for a difference. Null where none is known, which is then a fault of Almanac's until one is.
 * @param {{uid: string, difference: string | null}} event
 * @param {string} file its whole text
 */
export function reasonFor(event, file) {
  const text = (file.match(/^BEGIN:VEVENT[\s\S]*?^END:VEVENT/gim) ?? [])
    .filter((one) => (event.uid === "" ? !/^UID[;:]/im.test(one) : one.includes(event.uid)))
    .join("\n");
  return reasons.find(({ test }) => test({ text, file, event }))?.reason ?? null;
}

/** A text without folds, and with one kind of line ends. */
export function unfolded(text) {
  return text.replace(/\r\n?/g, "\n").replace(/\n[ \t]/g, "");
}

function isRepeated(text) {
  const ids = text
    .split(/^BEGIN:VEVENT/m)
    .slice(1)
    .map((one) => /^RECURRENCE-ID[^\n]*/m.exec(one)?.[0] ?? "");
  return /^UID/m.test(text) && new Set(ids).size < ids.length;
}

function hasOddEnd(text) {
  const [start, end] = ["DTSTART", "DTEND"].map(
    (name) => new RegExp(`^${name}[^\\n]*:(\\S*)`, "m").exec(text)?.[1] ?? "",
  );
  return /^DURATION:P\d{10,}/m.test(text) || (end !== "" && (!/^\d{8}(?:T\d{6}Z?)?$/.test(end) || end < start));
}

function isStart({ added, missing }, text) {
  const starts = [...text.matchAll(/^DTSTART[^\n]*:(\d{4})(\d\d)(\d\d)/gm)].map((match) => match.slice(1).join("-"));
  const first = added[0]?.slice(0, 10);
  const isFirst = starts.some(
    (day) => first !== undefined && Math.abs(Date.parse(day) - Date.parse(first)) <= 86_400_000,
  );
  return /^RRULE/m.test(text) && isFirst && !missing.some((span) => span.slice(0, 10) <= first);
}

function zonesIn(text) {
  return [...text.matchAll(/;TZID=("[^"\n]*"|[^:;\n]*)/g)].map(([, name]) => name.replaceAll('"', ""));
}

function isDescribed(name, file) {
  return file.split("\n").some((line) => /^TZID/i.test(line) && line.slice(line.indexOf(":") + 1).trim() === name);
}

/** Whether all that differs is a whole number of quarters of an hour apart. */
function isShifted({ added, missing }) {
  return (
    added.length > 0 &&
    missing.length > 0 &&
    added.every((span, i) => {
      const apart = Date.parse(span.split("/")[0]) - Date.parse(missing[i]?.split("/")[0] ?? "");
      return Math.abs(apart) <= 86_400_000 && apart % 900_000 === 0;
    })
  );
}

/** Whether one occurrence of many is an hour before that of the others. */
function isOneHourBefore({ added, missing }) {
  const [[mine], [theirs]] = [added, missing].map((spans) => (spans[0] ?? "").split("/"));
  return added.length === 1 && missing.length === 1 && Date.parse(theirs) - Date.parse(mine) === 3_600_000;
}

function isDays(span) {
  return /^[\d-]{10}\/[\d-]{10}$/.test(span);
}

function isEmptyDay(span) {
  const [from, to] = span.split("/");
  return isDays(span) && from === to;
}

function endsBefore(span) {
  const [from, to] = span.split("/");
  return to < from;
}
