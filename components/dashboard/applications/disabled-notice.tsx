import { FullTime } from "@/components/ui/time";
import type { ApplicationHead } from "@/server/services/staff/applications/shapes";

/** Shows a notice above every page of an application whose requests are refused. */
export function DisabledNotice({ application, now }: { application: ApplicationHead; now: number }) {
  const { disabledAt, isDeleted } = application;
  if (disabledAt === null) return null;
  return (
    <p className="mx-6 mb-3 rounded-md border border-red px-3 py-2 text-13 max-sm:mx-4">
      {isDeleted ? (
        <>
          <span className="font-medium text-red">Deleting.</span> All requests are rejected. Accounts, tokens and
          deliveries are being erased.
        </>
      ) : (
        <>
          <span className="font-medium text-red">Disabled</span> since <FullTime at={disabledAt} now={now} />. All
          requests are rejected. Deliveries and syncs are paused.
        </>
      )}
    </p>
  );
}
