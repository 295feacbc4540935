import type { FormAction } from "@/components/dashboard/use-form-action";
import { TextArea, TextField } from "@/components/ui/field";
import type { StaffDelegation } from "@/server/services/staff/organizations/shapes";

/** The fields whose errors the form shows. */
export const reachFieldNames = ["domains", "addresses", "group"];

interface ReachFieldsProps {
  action: FormAction;
  /** What is set. Omitted: nothing yet. */
  reach?: Pick<StaffDelegation, "domains" | "addresses" | "groupAddress">;
}

/** Asks whom an organization may reach. */
export function ReachFields({ action, reach }: ReachFieldsProps) {
  return (
    <>
      <TextField
        label="Domains"
        name="domains"
        required
        placeholder="acme.com"
        defaultValue={reach?.domains.join(", ")}
        hint="Comma-separated. Only addresses in these domains can be authorized."
        fault={action.faultOf("domains", "Domain")}
      />
      <TextField
        label="Group"
        name="group"
        type="email"
        hint="Optional. Only members of this group, by its address. Google rooms can’t be authorized then."
        defaultValue={reach?.groupAddress ?? ""}
        fault={action.faultOf("group")}
      />
      <TextArea
        label="Addresses"
        name="addresses"
        rows={2}
        hint="Optional. Only these addresses, one per line. List rooms too."
        defaultValue={reach?.addresses.join("\n")}
        fault={action.faultOf("addresses", "Address")}
      />
    </>
  );
}

/** Reads whom an organization may reach from the form's fields. */
export function reachIn(form: FormData) {
  const lines = (name: string) =>
    String(form.get(name) ?? "")
      .split(/[\s,]+/)
      .filter((line) => line !== "");
  return { domains: lines("domains"), addresses: lines("addresses"), group: String(form.get("group") ?? "").trim() };
}
