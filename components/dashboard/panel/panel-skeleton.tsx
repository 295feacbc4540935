import { Panel } from "@/components/dashboard/panel/panel";
import { Bone, SkeletonLines } from "@/components/ui/skeleton";

/** Shows a panel whose content is loading. */
export function PanelSkeleton({ closeHref }: { closeHref: string }) {
  return (
    <Panel closeHref={closeHref} title={<Bone className="w-56" />} under={<Bone className="w-24" />}>
      <SkeletonLines />
    </Panel>
  );
}
