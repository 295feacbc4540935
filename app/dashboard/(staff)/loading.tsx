import { PageHead } from "@/components/dashboard/page-head";
import { Bone, SkeletonRows } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <>
      <PageHead
        title={
          <>
            <Bone className="w-28" />
            <span className="sr-only">Loading</span>
          </>
        }
      />
      <div className="h-10" />
      <SkeletonRows />
    </>
  );
}
