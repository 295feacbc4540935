import { StaffShell } from "@/app/dashboard/(staff)/staff-shell";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notice";

export const metadata = { title: "Page not found" };

/** Shows a missing page to signed-in operators. Everyone else was redirected to the sign-in page. */
export default function NotFound() {
  return (
    <StaffShell>
      <EmptyState isPage title="Page not found" action={<LinkButton href="/dashboard">Go to the overview</LinkButton>}>
        The link may be incomplete, or the page may have moved.
      </EmptyState>
    </StaffShell>
  );
}
