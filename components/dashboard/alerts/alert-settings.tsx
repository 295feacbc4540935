"use client";

import { type FormEvent, useState } from "react";
import { AlertMessages } from "@/components/dashboard/alerts/alert-messages";
import { AlertRules } from "@/components/dashboard/alerts/alert-rules";
import { formatWords } from "@/components/dashboard/alerts/words";
import { ShownOnce } from "@/components/dashboard/shown-once";
import { staffClient } from "@/components/dashboard/staff-client";
import { useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/facts";
import { Fault } from "@/components/ui/fault";
import { SelectField, TextField } from "@/components/ui/field";
import { SecretOnce } from "@/components/ui/secret-once";
import { type AlertFormat, alertFormats } from "@/server/domain/alerts/alerts";
import type { AlertSettings as Settings, TestedAlerts } from "@/server/services/staff/alerts/shapes";

interface AlertSettingsProps {
  /** Null: the alerts of those who run Almanac. */
  application: string | null;
  settings: Settings;
  canChange: boolean;
  now: number;
}

/** Edits who is alerted to what: each alert has switches for email and the webhook, and a quiet time. */
export function AlertSettings({ application, settings, canChange, now }: AlertSettingsProps) {
  const [rules, setRules] = useState(settings.rules);
  const [secret, setSecret] = useState<string | null>(null);
  const [tested, setTested] = useState<TestedAlerts | null>(null);
  const [format, setFormat] = useState(settings.webhookFormat);
  const [isUnsaved, setUnsaved] = useState(false);
  const change = () => {
    setUnsaved(true);
    setTested(null);
  };
  const action = useFormAction(["emails", "webhookUrl", "rules"]);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const webhook = { webhookUrl: String(form.get("webhookUrl") ?? "").trim(), webhookFormat: format };
    const emails = String(form.get("emails") ?? "")
      .split(/[\s,;]+/)
      .filter(Boolean);
    const save = () =>
      application === null
        ? staffClient.alerts.setOfStaff.mutate({ emails, ...webhook, rules })
        : staffClient.alerts.setOfApplication.mutate({ id: application, ...webhook, rules });
    const saved = async () => {
      setSecret((await save()).secret);
      setUnsaved(false);
    };
    await action.run(saved, "Alerts saved");
  };
  const test = async () => {
    const send = () =>
      application === null
        ? staffClient.alerts.testOfStaff.mutate()
        : staffClient.alerts.testOfApplication.mutate({ id: application });
    await action.run(async () => setTested(await send()), "Test sent");
  };
  return (
    <>
      <form noValidate onSubmit={submit} onChange={change} className="grid max-w-180 gap-6 px-6 py-4 max-sm:px-4">
        <AlertRules
          rules={rules}
          onChange={(changed) => {
            setRules(changed);
            change();
          }}
          canChange={canChange}
          isMailConfigured={settings.isMailConfigured}
        />
        {application === null ? (
          <TextField
            label="Email addresses"
            name="emails"
            defaultValue={settings.emails.join(", ")}
            readOnly={!canChange}
            placeholder="oncall@example.com"
            hint="Separate them with commas."
            fault={action.faultOf("emails", "Address")}
          />
        ) : (
          <p className="text-13">
            <span className="font-medium">Email recipients</span>{" "}
            {settings.emails.join(", ") || "No recipients yet. Invite developers on the Overview tab."}
          </p>
        )}
        <SelectField
          label="Webhook format"
          className="w-60 max-sm:w-full"
          value={format}
          disabled={!canChange}
          onChange={(event) => setFormat(event.currentTarget.value as AlertFormat)}
        >
          {alertFormats.map((one) => (
            <option key={one} value={one}>
              {formatWords[one].name}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Webhook URL"
          name="webhookUrl"
          defaultValue={settings.webhookUrl ?? ""}
          readOnly={!canChange}
          placeholder={formatWords[format].placeholder}
          hint={formatWords[format].hint}
          fault={action.faultOf("webhookUrl")}
        />
        <Fault>{action.faultOf("rules", "Alert") ?? action.otherFault}</Fault>
        {canChange && (
          <div className="flex flex-wrap items-center gap-2">
            <Button type="submit" look="primary" disabled={action.isBusy}>
              {action.isBusy ? "Working…" : "Save"}
            </Button>
            <Button disabled={action.isBusy || isUnsaved} onClick={test}>
              Send test
            </Button>
            <p className="text-12 text-faint" role="status">
              {isUnsaved && "Save before you send a test."}
              {tested && testedWords(tested)}
            </p>
          </div>
        )}
      </form>
      <Section title="Recent alerts" level={2}>
        <AlertMessages messages={settings.messages} now={now} />
      </Section>
      <ShownOnce
        isOpen={secret !== null}
        title="Signing secret"
        description="Copy it now: it won’t be shown again. Your receiver verifies Svc-Signature with it."
        done="I’ve stored the secret"
        onDone={() => setSecret(null)}
      >
        <SecretOnce name="Signing secret" value={secret ?? ""} />
      </ShownOnce>
    </>
  );
}

function testedWords(tested: TestedAlerts): string {
  if (tested.length === 0) return "Nothing to test: add an email address or a webhook URL, and save.";
  return tested.map(({ way, error }) => `${way === "email" ? "Email" : "Webhook"}: ${error ?? "sent"}.`).join(" ");
}
