import { storedReads } from "@/components/dashboard/requests/words";
import { formatCount } from "@/components/ui/number";

interface NotStoredProps {
  /** Requests of the last 24 hours without a row; undefined where the list is filtered. */
  count?: number;
  /** The share of successful reads that is stored. */
  readShare: number;
}

/** Says when the log does not contain every request. */
export function NotStored({ count, readShare }: NotStoredProps) {
  const sentences = [storedReads(readShare), count ? countWords(count, readShare < 1) : null].filter(
    (one) => one !== null,
  );
  if (sentences.length === 0) return null;
  return <p className="border-t px-6 py-2 text-13 text-faint max-sm:px-4">{sentences.join(" ")}</p>;
}

function countWords(count: number, isSampled: boolean): string {
  const counted =
    count === 1
      ? "1 request in the last 24 hours was counted but not stored."
      : `${formatCount(count)} requests in the last 24 hours were counted but not stored.`;
  return `${counted} ${isSampled ? "Except for those reads, " : ""}Almanac stores up to 10 unauthenticated requests per second from one address, 25 from all addresses, and 50 rate-limited requests per second from one application.`;
}
