"use client";

import { type ReactNode, useEffect, useState } from "react";
import { viewLabel } from "@/components/dashboard/address/view";
import { faultOf } from "@/components/dashboard/fault-text";
import { tabsIn } from "@/components/dashboard/shell/pages";
import { staffClient } from "@/components/dashboard/staff-client";
import type { FoundThing } from "@/server/services/staff/search/shapes";
import type { SavedView } from "@/server/services/staff/views/shapes";

/** The pause after typing before a look-up. */
const SETTLED_MS = 150;
const FEWEST = 2;
const nothing: readonly FoundThing[] = [];
const noViews: readonly SavedView[] = [];

interface Looked {
  /** The text it belongs to. */
  q: string;
  things: readonly FoundThing[];
  applications: readonly FoundThing[];
  views: readonly SavedView[];
  fault: ReactNode;
}

export interface Lookup {
  things: readonly FoundThing[];
  /** The applications whose tabs were typed: they match the text without the tab. */
  applications: readonly FoundThing[];
  /** The operator's views whose names match. */
  views: readonly SavedView[];
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
        staffClient.views.list.query({}, { signal }),
      ]).then(
        ([things, applications, all]) => ({ q, things, applications, views: viewsNamed(all, q), fault: null }),
        (error: unknown) => ({ q, things: nothing, applications: nothing, views: [], fault: faultOf(error) }),
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
    views: known?.views ?? noViews,
    isLooking: isAsked && known === null,
    isEmpty:
      known !== null && !known.fault && known.things.length + known.applications.length + known.views.length === 0,
    fault: known?.fault ?? null,
    again: () => {
      setLooked(null);
      setTries((before) => before + 1);
    },
  };
}

/** More would hide what else was found. */
const MOST_VIEWS = 8;

function viewsNamed(views: readonly SavedView[], q: string): SavedView[] {
  return views.filter((view) => viewLabel(view).toLowerCase().includes(q.toLowerCase())).slice(0, MOST_VIEWS);
}
