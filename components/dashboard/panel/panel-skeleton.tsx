import { Panel } from "@/components/dashboard/panel/panel";
import { Bone, SkeletonLines } from "@/components/ui/skeleton";

/** A panel whose content is on its way. */
export function PanelSkeleton({ closeHref }: { closeHref: string }) {
  return (
    <Panel closeHref={closeHref} title={<Bone className="w-56" />} under={<Bone className="w-24" />}>
      <SkeletonLines />
    </Panel>
  );
}
