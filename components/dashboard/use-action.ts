"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { faultOf } from "@/components/dashboard/fault-text";
import { announce } from "@/components/ui/announce";

export interface Action {
  isBusy: boolean;
  fault: ReactNode;
  /** Does the work, announces the result and renders the page again. Returns false if it was refused. */
  run<Done>(work: () => Promise<Done>, announcement: string | ((done: Done) => string)): Promise<boolean>;
  reset(): void;
}

/** Provides an action that a button runs on the server. */
export function useAction(): Action {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<ReactNode>(null);
  const run: Action["run"] = async (work, announcement) => {
    setBusy(true);
    setFault(null);
    try {
      const done = await work();
      announce(typeof announcement === "string" ? announcement : announcement(done));
      router.refresh();
      return true;
    } catch (error) {
      setFault(faultOf(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, fault, run, reset: () => setFault(null) };
}
