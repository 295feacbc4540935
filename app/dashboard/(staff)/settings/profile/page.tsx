import { PageHead } from "@/components/dashboard/page-head";
import { roleWords } from "@/components/dashboard/role-words";
import { ChangePassword } from "@/components/dashboard/settings/change-password";
import { PROFILE } from "@/components/dashboard/settings/links";
import { SecondFactor } from "@/components/dashboard/settings/second-factor";
import { EndOtherSessions, Sessions } from "@/components/dashboard/settings/sessions";
import { SettingsTabs } from "@/components/dashboard/settings/tabs";
import { developerHint, roleHint } from "@/components/dashboard/settings/words";
import { Fact, Facts, Section } from "@/components/ui/facts";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

export const metadata = { title: "Profile" };

export default async function Profile() {
  const { api } = await staffPage();
  const [me, sessions] = await Promise.all([api.session.me(), api.session.list()]);
  const now = clock().now();
  return (
    <>
      <PageHead title="Settings" />
      <SettingsTabs here={PROFILE} role={me.role} />
      <div className="px-6 py-4 max-sm:px-4">
        <Facts>
          <Fact name="Name">{me.name || "–"}</Fact>
          <Fact name="Email">{me.email}</Fact>
          <Fact name="Role">
            {roleWords[me.role]}{" "}
            <span className="block text-12 text-faint">{me.role === "developer" ? developerHint : roleHint}</span>
          </Fact>
        </Facts>
      </div>
      <Section title="Password" level={2}>
        {me.hasPassword ? (
          <ChangePassword />
        ) : (
          <p className="text-13 text-faint">You sign in with single sign-on, so you don’t have a password.</p>
        )}
      </Section>
      <Section title="Two-step verification" level={2}>
        {me.hasPassword ? (
          <SecondFactor secondFactor={me.secondFactor} isNeeded={me.needsSecondFactor} now={now} />
        ) : (
          <p className="text-13 text-faint">Your single sign-on provider verifies you.</p>
        )}
      </Section>
      <Section title="Sessions" level={2} aside="kept for 30 days after they end">
        <EndOtherSessions sessions={sessions} />
        <Sessions sessions={sessions} now={now} />
      </Section>
    </>
  );
}
