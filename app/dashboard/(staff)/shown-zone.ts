import { cookies } from "next/headers";
import { shownTimes, TIMES_COOKIE } from "@/components/ui/shown-times";

/** Returns the zone (IANA name) of the times shown to this reader, for what only the server renders. */
export async function shownZone(): Promise<string> {
  return shownTimes((await cookies()).get(TIMES_COOKIE)?.value).zone;
}
