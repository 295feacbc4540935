import { counted } from "@/components/ui/number";
import type { StaffTrigger } from "@/server/services/staff/channels/shapes";

const HOUR = 60;
const DAY = 24 * HOUR;

/** Says when a trigger fires, and for which events: "10 minutes before an event starts, in 2 calendars". */
export function triggerWords(trigger: StaffTrigger): string {
  const { anchor, minutes, calendars, onlyManaged, minGuests } = trigger;
  const moment = `an event ${anchor === "start" ? "starts" : "ends"}`;
  const when =
    minutes === 0 ? `When ${moment}` : `${length(Math.abs(minutes))} ${minutes < 0 ? "before" : "after"} ${moment}`;
  return [
    when,
    ...(calendars === null ? [] : [`in ${counted(calendars, "calendar")}`]),
    ...(onlyManaged ? ["if the application created it"] : []),
    ...(minGuests > 0 ? [`with at least ${counted(minGuests, "guest")}`] : []),
  ].join(", ");
}

function length(minutes: number): string {
  if (minutes % DAY === 0) return counted(minutes / DAY, "day");
  return minutes % HOUR === 0 ? counted(minutes / HOUR, "hour") : counted(minutes, "minute");
}
