import { cookies } from "next/headers";
import { shownTimes, TIMES_COOKIE } from "@/components/ui/shown-times";

/** The zone in which this reader is shown times (IANA name), for what only the server writes. */
export async function shownZone(): Promise<string> {
  return shownTimes((await cookies()).get(TIMES_COOKIE)?.value).zone;
}
