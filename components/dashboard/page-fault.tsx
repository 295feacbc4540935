"use client";

import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/notice";

/** What a page shows when rendering it failed. */
export function PageFault({ digest, onRetry }: { digest?: string; onRetry(): void }) {
  return (
    <ErrorState
      isPage
      title="This page could not be shown"
      action={
        <Button look="primary" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      <p>
        Something failed on Almanac’s side while reading. Nothing was changed.
        {digest && (
          <>
            {" "}
            The log has it under digest <code className="font-mono text-12">{digest}</code>.
          </>
        )}
      </p>
    </ErrorState>
  );
}
