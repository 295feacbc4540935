"use client";

import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/notice";

/** What a page shows when rendering it failed. */
export function PageFault({ digest, onRetry }: { digest?: string; onRetry(): void }) {
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
