import { compatibilityWords, planWords } from "@/components/dashboard/applications/words";
import type { FormAction } from "@/components/dashboard/use-form-action";
import { Checkbox, SelectField, TextField } from "@/components/ui/field";
import { requestsKept } from "@/server/domain/retention";
import type { ApplicationRow } from "@/server/services/staff/applications/shapes";

export type Settings = Pick<ApplicationRow, "name" | "plan" | "compatibilityMode">;

/** Shows the fields for name, plan and compatibility mode. */
export function ApplicationFields({ settings, action }: { settings: Settings; action: FormAction }) {
  return (
    <>
      <TextField
        label="Name"
        name="name"
        required
        defaultValue={settings.name}
        hint="Users see this name when they connect a calendar."
        fault={action.faultOf("name")}
      />
      <SelectField
        label="Plan"
        name="plan"
        defaultValue={settings.plan}
        hint={`Sets how long request logs are kept: ${requestsKept}.`}
      >
        {Object.entries(planWords).map(([plan, word]) => (
          <option key={plan} value={plan}>
            {word}
          </option>
        ))}
      </SelectField>
      <Checkbox
        name="compatibilityMode"
        defaultChecked={settings.compatibilityMode}
        label={
          <span>
            Compatibility mode
            <span className="block text-12 text-faint">{compatibilityWords}</span>
          </span>
        }
      />
    </>
  );
}

/** Reads the form's values. */
export function settingsIn(form: FormData): Settings {
  return {
    name: String(form.get("name") ?? "").trim(),
    plan: form.get("plan") === "developer" ? "developer" : "standard",
    compatibilityMode: form.has("compatibilityMode"),
  };
}
