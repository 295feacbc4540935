"use client";

import { useState } from "react";
import { staffClient } from "@/components/dashboard/staff-client";
import { useAction } from "@/components/dashboard/use-action";
import { Button } from "@/components/ui/button";
import { Fact, Facts } from "@/components/ui/facts";
import { Fault } from "@/components/ui/fault";
import type { ShownEventTexts } from "@/server/services/staff/events/shapes";

/** Shows the texts of an event once an admin requests them, which the audit trail records. */
export function EventText({ id }: { id: string }) {
  const [texts, setTexts] = useState<ShownEventTexts | null>(null);
  const action = useAction();
  const show = async () => setTexts(await staffClient.events.showTexts.mutate({ id }));
  if (texts)
    return (
      <Facts>
        <Fact name="Title">{texts.summary || "no title"}</Fact>
        <Fact name="Location">{texts.location || "none"}</Fact>
        <Fact name="Description">
          <span className="whitespace-pre-line">{texts.description || "none"}</span>
        </Fact>
      </Facts>
    );
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button disabled={action.isBusy} onClick={() => action.run(show, "Event text shown")}>
        {action.isBusy ? "Showing…" : "Show text"}
      </Button>
      <p className="text-12 text-faint">Recorded in the audit trail with your name.</p>
      <Fault>{action.fault}</Fault>
    </div>
  );
}
