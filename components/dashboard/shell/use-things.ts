"use client";

import { type ReactNode, useEffect, useState } from "react";
import { faultOf } from "@/components/dashboard/fault-text";
import { tabsIn } from "@/components/dashboard/shell/pages";
import { staffClient } from "@/components/dashboard/staff-client";
import type { FoundThing } from "@/server/services/staff/search/shapes";

/** The pause after typing before a look-up. */
const SETTLED_MS = 150;
const FEWEST = 2;
const nothing: readonly FoundThing[] = [];

interface Looked {
  /** The text it belongs to. */
  q: string;
  things: readonly FoundThing[];
  applications: readonly FoundThing[];
  fault: ReactNode;
}

export interface Lookup {
  things: readonly FoundThing[];
  /** The applications whose tabs were typed: they match the text without the tab. */
  applications: readonly FoundThing[];
  isLooking: boolean;
  /** Whether the look-up found nothing. */
  isEmpty: boolean;
  fault: ReactNode;
  again(): void;
}

/** Looks up a text once nobody types. An outdated look-up is cancelled. */
export function useThings(typed: string): Lookup {
  const q = typed.trim();
  const [looked, setLooked] = useState<Looked | null>(null);
  const [tries, setTries] = useState(0);
  const isAsked = q.length >= FEWEST;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks for the same.
  useEffect(() => {
    if (!isAsked) return;
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const { signal } = controller;
      const { tabs, rest } = tabsIn(q);
      const result = await Promise.all([
        staffClient.search.find.query({ q }, { signal }),
        tabs.length === 0 ? nothing : staffClient.search.applications.query({ q: rest }, { signal }),
      ]).then(
        ([things, applications]) => ({ q, things, applications, fault: null }),
        (error: unknown) => ({ q, things: nothing, applications: nothing, fault: faultOf(error) }),
      );
      if (!signal.aborted) setLooked(result);
    }, SETTLED_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [q, isAsked, tries]);
  const known = isAsked && looked?.q === q ? looked : null;
  return {
    things: known?.things ?? nothing,
    applications: known?.applications ?? nothing,
    isLooking: isAsked && known === null,
    isEmpty: known !== null && !known.fault && known.things.length + known.applications.length === 0,
    fault: known?.fault ?? null,
    again: () => {
      setLooked(null);
      setTries((before) => before + 1);
    },
  };
}
