import { applicationPath, applicationTabs } from "@/components/dashboard/applications/tabs";
import { PathTabs } from "@/components/dashboard/path-tabs";

export function ApplicationTabs({ id }: { id: string }) {
  const tabs = applicationTabs.map(({ name, segment }) => ({ name, path: applicationPath(id, segment) }));
  return <PathTabs label="Application" tabs={tabs} />;
}
