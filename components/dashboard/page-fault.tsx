"use client";

import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/notice";

/** What a page shows when rendering it failed. */
export function PageFault({ digest, onRetry }: { digest?: string; onRetry(): void }) {
  // As server/http/staff/page.ts writes it.
  const seconds = /^busy;(\d+)$/.exec(digest ?? "")?.[1];
  return (
    <ErrorState
      isPage
      title={seconds === undefined ? "This page couldn’t be loaded" : "Almanac is busy right now"}
      action={
        <Button look="primary" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {seconds === undefined ? (
        <Internal digest={digest} />
      ) : (
        <p>Nothing was changed. Try again in {seconds} seconds.</p>
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
