import { narrowed } from "@/components/dashboard/address/paths";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { type Failure, failuresOf } from "@/components/dashboard/requests/failure";
import { formatCount } from "@/components/ui/number";
import { requestList } from "@/server/services/staff/lists/requests";
import type { RequestDetail } from "@/server/services/staff/requests/shapes";

const MOST_SHOWN = 5;

/** Shows what a reader wants to know first about a failed request: field, key and sentence of each error. */
export function WhatFailed({ request }: { request: RequestDetail }) {
  const failures = failuresOf(request);
  if (failures.length === 0) return null;
  const more = failures.length - MOST_SHOWN;
  return (
    <section aria-label="Error" className="border-b px-6 py-3 max-sm:px-4">
      <ul className="grid gap-2 text-13">
        {failures.slice(0, MOST_SHOWN).map((failure, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a field may have the same error twice, and nothing here moves.
          <Line key={index} failure={failure} />
        ))}
      </ul>
      {more > 0 && <p className="mt-2 text-12 text-faint">{formatCount(more)} more in the response body.</p>}
    </section>
  );
}

function Line({ failure: { field, key, sentence } }: { failure: Failure }) {
  return (
    <li className="wrap-anywhere">
      {(field || key) && (
        <span className="flex flex-wrap items-baseline gap-x-3">
          {field && <span className="font-mono font-medium">{field}</span>}
          {key && (
            <span className="font-mono text-12">
              <DetailLink href={narrowed(requestList.path, "errorKey", key)}>{key}</DetailLink>
            </span>
          )}
        </span>
      )}
      {sentence && <span className="block">{sentence}</span>}
    </li>
  );
}
