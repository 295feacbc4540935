import { redirect } from "next/navigation";
import { PageHead } from "@/components/dashboard/page-head";
import { ProviderTable } from "@/components/dashboard/providers/provider-table";
import { Time } from "@/components/ui/time";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

export const metadata = { title: "Providers" };

export default async function ProvidersPage() {
  const { api, operator } = await staffPage();
  if (operator.role === "developer") redirect("/dashboard");
  const providers = await api.providers.show();
  const now = clock().now();
  return (
    <>
      <PageHead
        title="Providers"
        count={
          <>
            Updated <Time at={new Date(now).toISOString()} now={now} />
          </>
        }
      />
      <ProviderTable providers={providers} now={now} />
    </>
  );
}
