"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { attemptWords } from "@/components/dashboard/deliveries/words";
import { isSignedOut } from "@/components/dashboard/fault-text";
import { staffClient } from "@/components/dashboard/staff-client";
import { announce } from "@/components/ui/announce";
import type { DeliveryProgress } from "@/server/services/staff/deliveries/shapes";

const SOON_MS = 500;
const LATER_MS = 2_000;
/** The first polls, in quick succession: most attempts have ended by then. */
const SOON = 20;

interface Watched {
  /** Null: there is no delivery yet. */
  id: string | null;
  /** An attempt is in progress or requested. */
  isWaiting: boolean;
  /** The number of the last attempt on the page. */
  ended: number;
  /** Formats the result. */
  words?(last: NonNullable<DeliveryProgress["last"]>): string;
}

interface Progress {
  /** The result of the awaited attempt: "Attempt 7 failed: 500 in 18 ms". */
  outcome: string | null;
  /** The attempt is awaited. */
  isOn: boolean;
  /** Waits for the end of an attempt that was just requested. */
  expect(attempt: number): void;
}

/** Polls an awaited attempt until it has ended, announces the result, and renders the page again. */
export function useProgress({ id, isWaiting, ended, words = attemptWords }: Watched): Progress {
  const router = useRouter();
  const [expected, setExpected] = useState<number | null>(null);
  const [outcome, setOutcome] = useState<string | null>(null);
  const announced = useRef(0);
  const isOn = isWaiting || expected !== null;
  useEffect(() => {
    if (!isOn || id === null) return;
    const known = Math.max(announced.current, expected === null ? ended : expected - 1);
    const done = (last: DeliveryProgress["last"]) => {
      setExpected(null);
      if (last && last.number > known) {
        announced.current = last.number;
        setOutcome(words(last));
        announce(words(last));
      }
      router.refresh();
    };
    return again(async () => {
      const { waiting, last } = await staffClient.deliveries.progress.query({ id });
      if (!waiting) done(last);
      return waiting;
    }, router.refresh);
  }, [id, isOn, expected, ended, words, router]);
  const expect = (attempt: number) => {
    setOutcome(null);
    setExpected(attempt);
  };
  return { outcome, isOn, expect };
}

/** Polls until there is nothing to wait for. A failed poll doesn't stop it, unless the session has ended. */
function again(look: () => Promise<boolean>, onSignedOut: () => void): () => void {
  let looks = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const next = async () => {
    looks += 1;
    try {
      if (document.visibilityState === "visible" && !(await look())) return;
    } catch (error) {
      if (isSignedOut(error)) return onSignedOut();
    }
    if (!isOver) timer = setTimeout(next, looks < SOON ? SOON_MS : LATER_MS);
  };
  timer = setTimeout(next, SOON_MS);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
