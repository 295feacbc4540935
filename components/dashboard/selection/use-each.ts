"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { faultOf, faultText, isSignedOut } from "@/components/dashboard/fault-text";
import { outcomeWords } from "@/components/dashboard/selection/outcome-words";
import { announce } from "@/components/ui/announce";
import { formatCount } from "@/components/ui/number";

interface Each {
  /** "3 of 12" while it works. */
  progress: string | null;
  outcome: string | null;
  fault: ReactNode;
  /** Does the work for each id, one after the other, and renders the page again. Returns false if the session has ended. */
  run(
    ids: readonly string[],
    work: (id: string) => Promise<unknown>,
    done: (count: number) => string,
  ): Promise<boolean>;
  reset(): void;
}

/** Provides an action on many rows: what is refused for one of them is counted, and the others go on. */
export function useEach(): Each {
  const router = useRouter();
  const [progress, setProgress] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<string | null>(null);
  const [fault, setFault] = useState<ReactNode>(null);
  const reset = () => {
    setOutcome(null);
    setFault(null);
  };
  const run: Each["run"] = async (ids, work, done) => {
    reset();
    const refusals: string[] = [];
    try {
      for (const [index, id] of ids.entries()) {
        setProgress(`${formatCount(index)} of ${formatCount(ids.length)}`);
        await work(id).catch((error: unknown) => {
          if (isSignedOut(error)) throw error;
          refusals.push(faultText(error));
        });
      }
    } catch (error) {
      setFault(faultOf(error));
      return false;
    } finally {
      setProgress(null);
    }
    const words = outcomeWords(done(ids.length - refusals.length), refusals);
    setOutcome(words);
    announce(words);
    router.refresh();
    return true;
  };
  return { progress, outcome, fault, run, reset };
}
