import type { FormAction } from "@/components/dashboard/use-form-action";
import { SelectField, TextArea, TextField } from "@/components/ui/field";
import type { Delegator } from "@/server/domain/delegations";

/** The fields whose errors the form shows. */
export const keyFieldNames = ["keyFile", "administrator", "tenant", "clientId", "secret", "certificate"];

interface KeyFieldsProps {
  provider: Delegator;
  action: FormAction;
}

/** Asks for the key of an organization. */
export function KeyFields({ provider, action }: KeyFieldsProps) {
  if (provider === "google") {
    return (
      <>
        <TextArea
          label="Key file"
          name="keyFile"
          rows={4}
          required
          spellCheck={false}
          autoComplete="off"
          placeholder={'{ "type": "service_account", … }'}
          hint="The JSON key of the service account. Stored encrypted, never shown again."
          fault={action.faultOf("keyFile")}
        />
        <TextField
          label="Administrator"
          name="administrator"
          type="email"
          required
          autoComplete="off"
          placeholder="admin@acme.com"
          hint="Almanac reads the directory and books rooms on their behalf."
          fault={action.faultOf("administrator")}
        />
      </>
    );
  }
  return (
    <>
      <TextField label="Directory (tenant) ID" name="tenant" required fault={action.faultOf("tenant")} />
      <TextField label="Application (client) ID" name="clientId" required fault={action.faultOf("clientId")} />
      <TextField
        label="Client secret"
        name="secret"
        type="password"
        autoComplete="off"
        hint="Or leave empty and paste a certificate."
        fault={action.faultOf("secret")}
      />
      <TextArea
        label="Certificate and private key"
        name="certificate"
        rows={4}
        spellCheck={false}
        autoComplete="off"
        hint="PEM, certificate and key together. Stored encrypted, never shown again."
        fault={action.faultOf("certificate")}
      />
    </>
  );
}

/** Asks which provider an organization is at. */
export function ProviderField({ value, onChange }: { value: Delegator; onChange(provider: Delegator): void }) {
  return (
    <SelectField
      label="Provider"
      name="provider"
      value={value}
      onChange={({ target }) => onChange(target.value as Delegator)}
    >
      <option value="google">Google Workspace</option>
      <option value="microsoft">Microsoft 365</option>
    </SelectField>
  );
}

/** Reads the key from the form's fields. */
export function keyIn(form: FormData, provider: Delegator) {
  const field = (name: string) => String(form.get(name) ?? "").trim();
  return provider === "google"
    ? { provider, keyFile: field("keyFile"), administrator: field("administrator") }
    : {
        ...{ provider, tenant: field("tenant"), clientId: field("clientId") },
        ...{ secret: field("secret"), certificate: field("certificate") },
      };
}
