import ICAL from "ical.js";

/** The starts of a resource's series, as ical.js reads them: an instant, or a date. It knows a time zone only from the VTIMEZONE beside the event. */
export function startsByOthers(ics: string, most = 60): string[] {
  const events = new ICAL.Component(ICAL.parse(ics)).getAllSubcomponents("vevent").map((one) => new ICAL.Event(one));
  const master = events.find((one) => !one.isRecurrenceException());
  if (!master) throw new Error("no master");
  for (const one of events) if (one.isRecurrenceException()) master.relateException(one);
  const iterator = master.iterator();
  const starts: string[] = [];
  for (let next = iterator.next(); next && starts.length < most; next = iterator.next()) {
    const { startDate, item } = master.getOccurrenceDetails(next);
    if (item.component.getFirstPropertyValue("status") === "CANCELLED") continue;
    starts.push(startDate.isDate ? startDate.toString() : startDate.toJSDate().toISOString().replace(".000Z", "Z"));
  }
  return starts.sort();
}
