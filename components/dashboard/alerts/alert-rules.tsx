import { kindWords, quietOptions } from "@/components/dashboard/alerts/words";
import { Checkbox, SelectField, TextField } from "@/components/ui/field";
import { settableThresholds } from "@/server/domain/alerts/thresholds";
import type { RuleRow } from "@/server/services/staff/alerts/shapes";

const thresholdNames = ["threshold", "leastRequests"] as const;

interface AlertRulesProps {
  rules: RuleRow[];
  onChange(rules: RuleRow[]): void;
  canChange: boolean;
  isMailConfigured: boolean;
}

/** Shows the switches of each alert. */
export function AlertRules({ rules, onChange, canChange, isMailConfigured }: AlertRulesProps) {
  const change = (kind: RuleRow["kind"], changes: Partial<RuleRow>) =>
    onChange(rules.map((one) => (one.kind === kind ? { ...one, ...changes } : one)));
  return (
    <div className="grid gap-4">
      {!isMailConfigured && (
        <p className="text-12 text-faint">
          Email is off. Set <code className="font-mono">SMTP_URL</code> and <code className="font-mono">SMTP_FROM</code>{" "}
          to turn it on.
        </p>
      )}
      {rules.map(({ kind, email, webhook, quietMinutes, ...set }) => (
        <fieldset key={kind} disabled={!canChange} className="grid gap-1 border-t pt-3">
          <legend className="sr-only">{kindWords[kind].name}</legend>
          <p className="text-13 font-medium" aria-hidden>
            {kindWords[kind].name}
          </p>
          <p className="text-12 text-faint">{kindWords[kind].hint}</p>
          <div className="flex flex-wrap items-end gap-x-6 gap-y-1">
            <Checkbox
              label="Email"
              checked={email}
              disabled={!isMailConfigured && !email}
              onChange={(event) => change(kind, { email: event.currentTarget.checked })}
            />
            <Checkbox
              label="Webhook"
              checked={webhook}
              onChange={(event) => change(kind, { webhook: event.currentTarget.checked })}
            />
            <SelectField
              label="At most one alert every"
              value={quietMinutes}
              onChange={(event) => change(kind, { quietMinutes: Number(event.currentTarget.value) })}
            >
              {quietOptions.map(({ minutes, word }) => (
                <option key={minutes} value={minutes}>
                  {word}
                </option>
              ))}
            </SelectField>
            {thresholdNames.map((name) => {
              const limits = settableThresholds[kind]?.[name];
              return (
                limits && (
                  <TextField
                    key={name}
                    label={kindWords[kind][name] ?? ""}
                    type="number"
                    className="w-30"
                    min={limits.least}
                    max={limits.most}
                    defaultValue={set[name] ?? limits.byDefault}
                    onChange={(event) => change(kind, { [name]: Number(event.currentTarget.value) })}
                  />
                )
              );
            })}
          </div>
        </fieldset>
      ))}
    </div>
  );
}
