import { type ReactNode, Suspense } from "react";

/** Shows content once it is there, without holding up the page. */
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
