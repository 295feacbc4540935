"use client";

import { useState } from "react";
import { ConfirmedAction } from "@/components/dashboard/confirmed-action";
import { ShownOnce } from "@/components/dashboard/shown-once";
import { staffClient } from "@/components/dashboard/staff-client";
import { SecretOnce } from "@/components/ui/secret-once";
import type { Role } from "@/server/services/staff/procedure/staff-context";

interface Operator {
  id: string;
  name: string;
  role: Role;
  isDisabled: boolean;
  hasSecondFactor: boolean;
  /** The operator who is signed in: their password is changed in their profile. */
  isMe: boolean;
}

/** Changes the role, disables and enables, and resets the password and two-step verification. */
export function OperatorActions({ operator }: { operator: Operator }) {
  const { id, name, role, isDisabled, hasSecondFactor, isMe } = operator;
  const to: Role = role === "support" ? "admin" : "support";
  return (
    <>
      <ConfirmedAction
        label={to === "admin" ? "Make admin…" : "Make support…"}
        title={to === "admin" ? `Make ${name} an admin?` : `Change ${name} to support?`}
        text={
          to === "admin"
            ? "They’ll be able to register applications, revoke accounts and add operators. Takes effect immediately."
            : role === "developer"
              ? "They’ll see every application, and be able to view, retry and sync there. Takes effect immediately."
              : "They’ll be able to view, retry and sync, and nothing else. Takes effect immediately."
        }
        verb={to === "admin" ? "Make admin" : "Make support"}
        announcement="Role changed"
        work={() => staffClient.operators.setRole.mutate({ id, role: to })}
      />
      {!isMe && <ResetPassword id={id} name={name} />}
      {!isMe && hasSecondFactor && (
        <ConfirmedAction
          label="Reset two-step verification…"
          title={`Reset ${name}’s two-step verification?`}
          text="For someone who lost their authenticator app and recovery codes. Make sure it’s really them: their password alone will sign them in, and their sessions end. If their role requires it, they set it up again at the next sign-in."
          verb="Reset"
          isDanger
          announcement="Two-step verification reset"
          work={() => staffClient.operators.resetSecondFactor.mutate({ id })}
        />
      )}
      {isDisabled ? (
        <ConfirmedAction
          label="Enable…"
          title={`Enable ${name}?`}
          text="They’ll be able to sign in again with their previous role and password."
          verb="Enable"
          announcement="Operator enabled"
          work={() => staffClient.operators.enable.mutate({ id })}
        />
      ) : (
        <ConfirmedAction
          label="Disable…"
          look="danger"
          title={`Disable ${name}?`}
          text="They won’t be able to sign in, and all their sessions end immediately. Their audit trail is kept."
          verb="Disable"
          announcement="Operator disabled"
          work={() => staffClient.operators.disable.mutate({ id })}
        />
      )}
    </>
  );
}

function ResetPassword({ id, name }: { id: string; name: string }) {
  const [made, setMade] = useState<string | null>(null);
  return (
    <>
      <ConfirmedAction
        label="Reset password…"
        title={`Reset ${name}’s password?`}
        text="Almanac generates a new password and shows it once. The old password stops working, and their sessions end."
        verb="Reset password"
        announcement="Password reset"
        work={async () => setMade((await staffClient.operators.resetPassword.mutate({ id })).password)}
      />
      <ShownOnce
        isOpen={made !== null}
        title={`New password for ${name}`}
        description="Copy it now: it won’t be shown again. Share it in person or by phone, and ask them to change it."
        done="I’ve shared the password"
        onDone={() => setMade(null)}
      >
        <SecretOnce name="Password" value={made ?? ""} />
      </ShownOnce>
    </>
  );
}
