"use client";

import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/notice";

/** Shows that rendering a page failed. */
export function PageFault({ digest, onRetry }: { digest?: string; onRetry(): void }) {
  // In the format of server/http/staff/page.ts.
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
