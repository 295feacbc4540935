import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notice";

export const metadata = { title: "Not here" };

export default function NotFound() {
  return (
    <main>
      <EmptyState
        isPage
        title="There is no such page"
        action={<LinkButton href="/dashboard">To the overview</LinkButton>}
      >
        The address may be cut off, or the thing it names is gone.
      </EmptyState>
    </main>
  );
}
