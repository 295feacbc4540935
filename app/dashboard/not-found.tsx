import { missingThing } from "@/app/dashboard/(staff)/missing";
import { StaffShell } from "@/app/dashboard/(staff)/staff-shell";
import { MissingThing } from "@/components/dashboard/missing-thing";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notice";

export const metadata = { title: "Page not found" };

/** For signed-in operators: all others were redirected to the sign-in page. */
export default async function NotFound() {
  const thing = await missingThing();
  return (
    <StaffShell>
      {thing ? (
        <MissingThing thing={thing} />
      ) : (
        <EmptyState
          isPage
          title="Page not found"
          action={<LinkButton href="/dashboard">Go to the overview</LinkButton>}
        >
          The link may be incomplete, or the page may have moved.
        </EmptyState>
      )}
    </StaffShell>
  );
}
