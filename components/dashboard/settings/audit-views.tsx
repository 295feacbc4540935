import Link from "next/link";
import { address, type Params } from "@/components/dashboard/address/address";
import { AUDIT } from "@/components/dashboard/settings/links";
import { viewWords } from "@/components/dashboard/settings/words";
import { classes } from "@/components/ui/classes";
import { type AuditView, auditViews } from "@/server/domain/audit/actions";

/** The view of an address that names none. */
export const FIRST_VIEW: AuditView = "changes";

/** Links to the views of the audit trail, and keeps the filters except the action, which belongs to one view. */
export function AuditViews({ here, params }: { here: readonly string[]; params: Params }) {
  return (
    <nav aria-label="Views" className="flex rounded-md border p-px text-13">
      {auditViews.map((view) => {
        const isHere = here.length === 1 && here[0] === view;
        return (
          <Link
            key={view}
            href={address(AUDIT, params, { view: view === FIRST_VIEW ? null : view, action: null, after: null })}
            prefetch={false}
            aria-current={isHere ? "page" : undefined}
            className={classes(
              "flex h-7 max-sm:h-8 items-center rounded-sm px-2.5 whitespace-nowrap",
              isHere ? "bg-picked" : "text-faint hover:bg-hover hover:text-ink",
            )}
          >
            {viewWords[view]}
          </Link>
        );
      })}
    </nav>
  );
}
