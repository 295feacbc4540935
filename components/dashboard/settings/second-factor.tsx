"use client";

import { useState } from "react";
import { FormDialog } from "@/components/dashboard/form-dialog";
import { ShownOnce } from "@/components/dashboard/shown-once";
import { staffClient } from "@/components/dashboard/staff-client";
import { type FormAction, useFormAction } from "@/components/dashboard/use-form-action";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Aside } from "@/components/ui/lines";
import { QrCode } from "@/components/ui/qr-code";
import { SecretOnce } from "@/components/ui/secret-once";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { SetUpStart } from "@/server/services/staff/second-factor/set-up";
import type { Me } from "@/server/services/staff/sessions/me";

interface SecondFactorProps {
  secondFactor: Me["secondFactor"];
  /** Whether the role needs one. */
  isNeeded: boolean;
  now: number;
}

/** Shows one's second factor, and sets it up, replaces and removes it. */
export function SecondFactor({ secondFactor, isNeeded, now }: SecondFactorProps) {
  return (
    <div className="grid justify-items-start gap-3 text-13">
      {secondFactor ? (
        <div className="grid gap-1">
          <State tone="good">On</State>
          <Aside>
            <span>
              set up <Time at={secondFactor.since} now={now} />
            </span>
            <span>{recoveryCodesLeft(secondFactor.recoveryCodes)}</span>
          </Aside>
        </div>
      ) : (
        <p className="text-faint">
          Off. When it’s on, signing in requires your password and a code from an authenticator app.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <SetUp verb={secondFactor ? "Replace" : "Set up"} />
        {secondFactor && !isNeeded && <Remove />}
      </div>
      {secondFactor && (
        <p className="text-12 text-faint">
          {isNeeded && "Your role requires it. "}Replace it when you change phones or run out of recovery codes.
        </p>
      )}
    </div>
  );
}

function recoveryCodesLeft(count: number): string {
  return count === 1 ? "1 recovery code left" : `${count} recovery codes left`;
}

function SetUp({ verb }: { verb: "Set up" | "Replace" }) {
  const [isAsking, setAsking] = useState(false);
  const [started, setStarted] = useState<SetUpStart | null>(null);
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>([]);
  const asking = useFormAction(["password"]);
  const confirming = useFormAction(["code"]);
  const start = async (form: FormData) => {
    const isDone = await asking.run(
      async () =>
        setStarted(await staffClient.session.startSecondFactor.mutate({ password: textOf(form, "password") })),
      "Password confirmed",
    );
    if (isDone) setAsking(false);
  };
  const confirm = async (pending: string, form: FormData) => {
    const input = { pending, code: textOf(form, "code") ?? "" };
    const isDone = await confirming.run(
      async () => setRecoveryCodes((await staffClient.session.confirmSecondFactor.mutate(input)).recoveryCodes),
      "Two-step verification is on",
    );
    if (isDone) setStarted(null);
  };
  return (
    <>
      <Button onClick={() => setAsking(true)}>{verb}…</Button>
      <FormDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={`${verb} two-step verification`}
        description="Enter your password to continue."
        action={asking}
        verb="Continue"
        working="Checking…"
        onSubmit={start}
      >
        <Password action={asking} />
      </FormDialog>
      {started && (
        <FormDialog
          isOpen
          onOpenChange={() => setStarted(null)}
          title="Add Almanac to your authenticator app"
          description="Scan the QR code with the app, or enter the key. Then enter the 6-digit code from the app."
          action={confirming}
          verb="Turn on"
          working="Checking…"
          onSubmit={(form) => confirm(started.pending, form)}
        >
          <div className="flex flex-wrap items-center gap-4">
            <QrCode {...started.qr} />
            <div className="grid min-w-40 flex-1">
              <SecretOnce name="Key" value={started.secret} />
            </div>
          </div>
          <TextField
            label="Code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            fault={confirming.faultOf("code")}
          />
        </FormDialog>
      )}
      <ShownOnce
        isOpen={recoveryCodes.length > 0}
        title="Save your recovery codes"
        description="They won’t be shown again. Each signs you in once if you lose your authenticator app. Your other sessions were ended."
        done="I’ve saved the codes"
        onDone={() => setRecoveryCodes([])}
      >
        <SecretOnce name="Recovery codes" value={recoveryCodes.join(" ")} />
      </ShownOnce>
    </>
  );
}

function Remove() {
  const [isAsking, setAsking] = useState(false);
  const action = useFormAction(["password"]);
  const remove = async (form: FormData) => {
    const input = { password: textOf(form, "password") };
    const isDone = await action.run(
      () => staffClient.session.removeSecondFactor.mutate(input),
      "Two-step verification is off",
    );
    if (isDone) setAsking(false);
  };
  return (
    <>
      <Button onClick={() => setAsking(true)}>Remove…</Button>
      <FormDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title="Remove two-step verification?"
        description="Your password alone will sign you in. Your recovery codes stop working, and your other sessions end."
        action={action}
        verb="Remove"
        working="Removing…"
        isDanger
        onSubmit={remove}
      >
        <Password action={action} />
      </FormDialog>
    </>
  );
}

function Password({ action }: { action: FormAction }) {
  return (
    <TextField
      label="Your password"
      name="password"
      type="password"
      autoComplete="current-password"
      required
      fault={action.faultOf("password")}
    />
  );
}

function textOf(form: FormData, name: string): string | undefined {
  return String(form.get(name) ?? "") || undefined;
}
