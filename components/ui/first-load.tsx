"use client";

import { type ReactNode, use } from "react";

const never = new Promise<never>(() => {});

/**
 * Renders a placeholder on the first load only: the server's HTML contains it. In the browser it suspends forever, and
 * with it the navigation that would show it, until the content is there: the old page stays.
 */
export function FirstLoad({ children }: { children: ReactNode }) {
  if (typeof window !== "undefined") use(never);
  return children;
}
