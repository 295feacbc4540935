import {
  compatibilityWords,
  connectSuccessWords,
  foreignEventsWords,
  mcpWritesWords,
  planWords,
  publicClientWords,
} from "@/components/dashboard/applications/words";
import type { FormAction } from "@/components/dashboard/use-form-action";
import { Checkbox, SelectField, TextField } from "@/components/ui/field";
import { requestsKept } from "@/server/domain/retention";
import type { ApplicationSettings } from "@/server/services/staff/applications/shapes";

const switches = [
  { name: "compatibilityMode", label: "Compatibility mode", hint: compatibilityWords },
  { name: "editForeignEvents", label: "Change events that others created", hint: foreignEventsWords },
  { name: "mcpWrites", label: "Let AI assistants write", hint: mcpWritesWords },
  { name: "connectSuccessPage", label: "Confirm connected calendars", hint: connectSuccessWords },
  { name: "publicClient", label: "Public client", hint: publicClientWords },
] as const;

/** Shows the fields for name, plan and switches. */
export function ApplicationFields({ settings, action }: { settings: ApplicationSettings; action: FormAction }) {
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
      {switches.map(({ name, label, hint }) => (
        <Checkbox
          key={name}
          name={name}
          defaultChecked={settings[name]}
          label={
            <span>
              {label}
              <span className="block text-12 text-faint">{hint}</span>
            </span>
          }
        />
      ))}
    </>
  );
}

/** Reads the form's values. */
export function settingsIn(form: FormData): ApplicationSettings {
  return {
    name: String(form.get("name") ?? "").trim(),
    plan: form.get("plan") === "developer" ? "developer" : "standard",
    compatibilityMode: form.has("compatibilityMode"),
    editForeignEvents: form.has("editForeignEvents"),
    mcpWrites: form.has("mcpWrites"),
    publicClient: form.has("publicClient"),
    connectSuccessPage: form.has("connectSuccessPage"),
  };
}
