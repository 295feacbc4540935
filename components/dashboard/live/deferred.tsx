import { type ReactNode, Suspense } from "react";

/** What is there later does not hold up the page. */
export function Deferred({ of: content }: { of: Promise<ReactNode> }) {
  return (
    <Suspense>
      <Awaited of={content} />
    </Suspense>
  );
}

async function Awaited({ of: content }: { of: Promise<ReactNode> }) {
  return await content;
}
