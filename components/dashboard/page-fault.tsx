"use client";

import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/notice";

/** What a page shows when rendering it failed. */
export function PageFault({ digest, onRetry }: { digest?: string; onRetry(): void }) {
  const seconds = /^busy;(\d+)$/.exec(digest ?? "")?.[1];
  if (seconds !== undefined) return <Busy seconds={seconds} onRetry={onRetry} />;
  return (
    <ErrorState
      isPage
      title="This page couldn’t be loaded"
      action={
        <Button look="primary" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      <p>
        An internal error occurred. Nothing was changed.
        {digest && (
          <>
            {" "}
            Log digest: <code className="font-mono text-12">{digest}</code>
          </>
        )}
      </p>
    </ErrorState>
  );
}

/** `seconds`: as server/http/staff/page.ts says. */
function Busy({ seconds, onRetry }: { seconds: string; onRetry(): void }) {
  return (
    <ErrorState
      isPage
      title="Almanac is busy right now"
      action={
        <Button look="primary" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      <p>Nothing was changed. Try again in {seconds} seconds.</p>
    </ErrorState>
  );
}
