import { formatCount } from "@/components/ui/number";
import type { UnstoredRequests as Figures } from "@/server/services/staff/requests/shapes";

/** Says when the log does not contain every request. */
export function NotStored({ count }: Figures) {
  if (count === 0) return null;
  return (
    <p className="border-t px-6 py-2 text-13 text-faint max-sm:px-4">
      {count === 1
        ? "1 request in the last 24 hours was counted but not stored."
        : `${formatCount(count)} requests in the last 24 hours were counted but not stored.`}{" "}
      Almanac stores up to 10 unauthenticated requests per second from one address, 25 from all addresses, and 50
      rate-limited requests per second from one application.
    </p>
  );
}
