"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { applicationPath, applicationTabs } from "@/components/dashboard/applications/tabs";
import { TabLinks } from "@/components/dashboard/tab-links";

export function ApplicationTabs({ id }: { id: string }) {
  const tabs = applicationTabs.map(({ name, segment }) => ({ name, path: applicationPath(id, segment) }));
  const here = usePathname();
  const frame = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is to be in sight once it is the current one.
  useEffect(() => {
    frame.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [here]);
  return (
    <div ref={frame}>
      <TabLinks label="Application" tabs={tabs} here={here} />
    </div>
  );
}
