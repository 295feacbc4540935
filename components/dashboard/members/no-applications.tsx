import { EmptyState } from "@/components/ui/notice";

/** Shows a page to a developer without any application. */
export function NoApplications({ isPage = false }: { isPage?: boolean }) {
  return (
    <EmptyState isPage={isPage} title="You don’t have an application yet">
      Ask your Almanac administrator to add you to one. It appears here the next time you load the page.
    </EmptyState>
  );
}
