"use client";

import { useEffect, useTransition } from "react";

/** Dispatched on the document by instrumentation-client.ts. */
const NAVIGATION = "almanac:navigation";

/**
 * Shows a thin line at the top while the next page loads, after 150 ms. It stays pending with the navigation: React
 * commits transitions that began in one event together.
 */
export function NavigationBar() {
  const [isPending, startTransition] = useTransition();
  useEffect(() => {
    const begin = () => startTransition(() => undefined);
    document.addEventListener(NAVIGATION, begin);
    return () => document.removeEventListener(NAVIGATION, begin);
  }, []);
  if (!isPending) return null;
  return (
    <div
      role="progressbar"
      aria-label="Loading page"
      className="appear-later pointer-events-none fixed inset-x-0 top-0 z-60 h-0.5 bg-accent"
    />
  );
}
