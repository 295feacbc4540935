"use client";

import { useRouter } from "next/navigation";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { type ShownTimes, TIMES_COOKIE, type TimesMode } from "@/components/ui/shown-times";

interface Times extends ShownTimes {
  choose(mode: TimesMode): void;
}

const Context = createContext<Times>({ mode: "utc", zone: "UTC", choose: () => {} });

/** Returns the zone of the shown times, and the switch between the reader's own and UTC. */
export function useTimes(): Times {
  return useContext(Context);
}

/** Provides one zone for all times within: the cookie's, until the browser reports another one. */
export function TimesProvider({ shown, children }: { shown: ShownTimes; children: ReactNode }) {
  const [times, setTimes] = useState(shown);
  const router = useRouter();
  const choose = (mode: TimesMode) => {
    const zone = mode === "utc" ? "UTC" : browserZone();
    remember(mode === "utc" ? "utc" : zone);
    setTimes({ mode, zone });
    router.refresh();
  };
  useEffect(() => {
    const zone = browserZone();
    if (shown.mode === "utc") return;
    remember(zone);
    if (zone === shown.zone) return;
    setTimes({ mode: "local", zone });
    router.refresh(); // the server rendered the other zone
  }, [shown.mode, shown.zone, router]);
  return <Context value={{ ...times, choose }}>{children}</Context>;
}

function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

const YEAR_S = 365 * 86_400;

function remember(value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing in some browsers, and over plain http.
  document.cookie = `${TIMES_COOKIE}=${encodeURIComponent(value)}; Path=/dashboard; Max-Age=${YEAR_S}; SameSite=Lax`;
}
