import type { ReactNode } from "react";
import { classes } from "@/components/ui/classes";

export type Tone = "good" | "wait" | "bad" | "off";

export const dotOf: Record<Tone, string> = {
  good: "bg-green",
  wait: "bg-amber",
  bad: "bg-red",
  off: "border border-edge",
};

/** Shows a state: a dot and a word. Only bad states colour the word too. */
export function State({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes("inline-flex items-center gap-2 whitespace-nowrap", tone === "bad" && "text-red")}>
      <span aria-hidden className={classes("size-2 shrink-0 rounded-full", dotOf[tone])} />
      {children}
    </span>
  );
}
