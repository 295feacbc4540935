import { type ApplicationParams, titled } from "@/app/dashboard/(staff)/applications/[id]/application";
import { reading } from "@/app/dashboard/(staff)/reading";
import { BrandingEditor } from "@/components/dashboard/applications/branding-editor";
import { staffPage } from "@/server/http/staff/page";

export const generateMetadata = titled("Branding");

export default async function ApplicationBranding({ params }: ApplicationParams) {
  const { api, operator } = await staffPage();
  const { id } = await params;
  const { value } = await reading(api.applications.branding({ id }));
  if (!value) return null;
  return <BrandingEditor id={id} saved={value} canChange={operator.role !== "support"} />;
}
