"use client";

import { type ReactNode, use } from "react";

const never = new Promise<never>(() => {});

/**
 * A placeholder of the first load alone: the server's HTML has it. In the browser it waits for ever, and with it, until the content is
 * there, the navigation that would show it: the old page stays.
 */
export function FirstLoad({ children }: { children: ReactNode }) {
  if (typeof window !== "undefined") use(never);
  return children;
}
