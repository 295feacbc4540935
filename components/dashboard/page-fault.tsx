"use client";

import { useEffect } from "react";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/notice";
import { durationWords } from "@/server/domain/time/duration-words";

/** Shows that rendering a page failed. If for a reason that passes, the page is tried again by itself. */
export function PageFault({ digest, onRetry }: { digest?: string; onRetry(): void }) {
  // In the format of server/http/staff/page.ts.
  const seconds = /^busy;(\d+)$/.exec(digest ?? "")?.[1];
  const waitMs = seconds === undefined ? null : Number(seconds) * 1_000;
  useEffect(() => {
    if (waitMs === null) return;
    const timer = setTimeout(onRetry, waitMs);
    return () => clearTimeout(timer);
  }, [waitMs, onRetry]);
  return (
    <ErrorState
      isPage
      title={waitMs === null ? "This page couldn’t be loaded" : "Almanac is busy right now"}
      action={
        <Button look="primary" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {waitMs === null ? (
        <Internal digest={digest} />
      ) : (
        <p>Nothing was changed. This page tries again in {durationWords(waitMs)}.</p>
      )}
    </ErrorState>
  );
}

function Internal({ digest }: { digest?: string }) {
  return (
    <p>
      An internal error occurred. Nothing was changed.
      {digest && (
        <>
          {" "}
          Log digest: <code className="font-mono text-12">{digest}</code>
        </>
      )}
    </p>
  );
}
