import { address, type Params } from "@/components/dashboard/address/address";
import { LinkButton } from "@/components/ui/button";

/**
 * Links to the list as a file. The browser navigates by itself, because `download` would save the sign-in page under
 * that name.
 */
export function ExportLink({ path, params }: { path: string; params: Params }) {
  return (
    <LinkButton look="quiet" href={address(`${path}/export`, params, { after: null, open: null })} target="_top">
      Export CSV
    </LinkButton>
  );
}
