"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { type Tab, TabLinks } from "@/components/dashboard/tab-links";

/** Shows the tabs of a layout, whose page is the current address. */
export function PathTabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const here = usePathname();
  const frame = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is to be in sight once it is the current one.
  useEffect(() => {
    frame.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [here]);
  return (
    <div ref={frame}>
      <TabLinks label={label} tabs={tabs} here={here} />
    </div>
  );
}
