import { FullTime } from "@/components/ui/time";

/** Says since when maintenance lasts, and when it ends by itself. */
export function Until({ since, endsAt, now }: { since: string; endsAt: string | null; now: number }) {
  return (
    <>
      since <FullTime at={since} now={now} />
      {endsAt !== null && (
        <>
          , until <FullTime at={endsAt} now={now} />
        </>
      )}
    </>
  );
}
