"use client";

import { useEffect, useState } from "react";
import { supportSummary } from "@/components/dashboard/account-page/support-summary";
import { faultOf } from "@/components/dashboard/fault-text";
import { staffClient } from "@/components/dashboard/staff-client";
import { announce } from "@/components/ui/announce";
import { Button } from "@/components/ui/button";
import { copyLater } from "@/components/ui/copy";
import { Fault } from "@/components/ui/fault";
import { clock } from "@/server/clock";

const SHOWN_MS = 2_000;
const LABEL = "Copy support summary";

interface CopySummaryProps {
  /** The account's id. */
  id: string;
  /** The page's whole address. */
  pageUrl: string;
}

/** Copies what a support ticket needs to know about an account, as it is now. */
export function CopySummary({ id, pageUrl }: CopySummaryProps) {
  const [word, setWord] = useState(LABEL);
  const [fault, setFault] = useState<React.ReactNode>(null);
  useEffect(() => {
    if (word === LABEL || word === "Copying…") return;
    const timer = setTimeout(() => setWord(LABEL), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [word]);
  const press = async () => {
    setFault(null);
    setWord("Copying…");
    try {
      const isDone = await copyLater(summaryOf(id, pageUrl));
      setWord(isDone ? "Copied" : "Copy failed");
      announce(isDone ? "Copied support summary" : "The browser blocked copying");
    } catch (error) {
      setWord(LABEL);
      setFault(faultOf(error));
    }
  };
  return (
    <>
      <Button disabled={word === "Copying…"} onClick={press}>
        {word}
      </Button>
      <Fault>{fault}</Fault>
    </>
  );
}

async function summaryOf(id: string, pageUrl: string): Promise<string> {
  const { accounts, deliveries, requests } = staffClient;
  const [account, last, failed, made] = await Promise.all([
    accounts.get.query({ id }),
    deliveries.list.query({ account: id, limit: 1 }),
    deliveries.list.query({ account: id, state: ["failed", "retrying"], limit: 1 }),
    requests.list.query({ account: id, limit: 1 }),
  ]);
  return supportSummary({
    account,
    lastDelivery: last.items[0] ?? null,
    lastFailedDelivery: failed.items[0] ?? null,
    lastRequest: made.items[0] ?? null,
    pageUrl,
    at: new Date(clock().now()).toISOString(),
  });
}
