import { type ApplicationParams, titled } from "@/app/dashboard/(staff)/applications/[id]/application";
import { reading } from "@/app/dashboard/(staff)/reading";
import { ClientSecrets } from "@/components/dashboard/applications/client-secrets";
import { Fact, Facts, Section } from "@/components/ui/facts";
import { Id } from "@/components/ui/id";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

export const generateMetadata = titled("Secrets");

export default async function ApplicationSecrets({ params }: ApplicationParams) {
  const { api, operator } = await staffPage();
  const { id } = await params;
  const { value } = await reading(api.applications.get({ id }));
  if (!value) return null;
  return (
    <>
      <div className="px-6 py-4 max-sm:px-4">
        <Facts>
          <Fact name="Client ID">
            <Id id={value.clientId} isWhole />
          </Fact>
        </Facts>
      </div>
      <Section title="Client secrets" level={2}>
        <ClientSecrets
          id={id}
          secrets={value.secrets}
          isPublic={value.publicClient}
          isOwner={operator.role !== "support"}
          now={clock().now()}
        />
      </Section>
    </>
  );
}
