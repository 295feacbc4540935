import { kindWords, quietOptions } from "@/components/dashboard/alerts/words";
import { Checkbox, SelectField } from "@/components/ui/field";
import type { RuleRow } from "@/server/services/staff/alerts/shapes";

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
          Email is not set up. Your Almanac administrator sets <code className="font-mono">SMTP_URL</code> and{" "}
          <code className="font-mono">SMTP_FROM</code>.
        </p>
      )}
      {rules.map(({ kind, email, webhook, quietMinutes }) => (
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
              label="Quiet time"
              value={quietMinutes}
              onChange={(event) => change(kind, { quietMinutes: Number(event.currentTarget.value) })}
            >
              {quietOptions.map(({ minutes, word }) => (
                <option key={minutes} value={minutes}>
                  {word}
                </option>
              ))}
            </SelectField>
          </div>
        </fieldset>
      ))}
    </div>
  );
}
