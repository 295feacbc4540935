import { compatibilityWords, planWords } from "@/components/dashboard/applications/words";
import type { FormDeed } from "@/components/dashboard/use-form-deed";
import { Checkbox, SelectField, TextField } from "@/components/ui/field";
import type { ApplicationRow } from "@/server/services/staff/applications/shapes";

export type Settings = Pick<ApplicationRow, "name" | "plan" | "compatibilityMode">;

/** Name, plan and compatibility mode. */
export function ApplicationFields({ settings, deed }: { settings: Settings; deed: FormDeed }) {
  return (
    <>
      <TextField
        label="Name"
        name="name"
        required
        defaultValue={settings.name}
        hint="People read it when they are asked to connect a calendar."
        fault={deed.faultOf("name")}
      />
      <SelectField
        label="Plan"
        name="plan"
        defaultValue={settings.plan}
        hint="It sets how long its requests are kept for staff: 30 days, and 7 on the Developer plan."
      >
        {Object.entries(planWords).map(([plan, word]) => (
          <option key={plan} value={plan}>
            {word}
          </option>
        ))}
      </SelectField>
      <Checkbox name="compatibilityMode" defaultChecked={settings.compatibilityMode} label={compatibilityWords} />
    </>
  );
}

/** What was filled in. */
export function settingsIn(form: FormData): Settings {
  return {
    name: String(form.get("name") ?? "").trim(),
    plan: form.get("plan") === "developer" ? "developer" : "standard",
    compatibilityMode: form.has("compatibilityMode"),
  };
}
