import type { ReactNode } from "react";
import type { AccountParams } from "@/app/dashboard/(staff)/accounts/[id]/account";
import { accountOf } from "@/app/dashboard/(staff)/accounts/open-account";
import { AccountHead } from "@/components/dashboard/account-page/account-head";
import { MissingThing } from "@/components/dashboard/missing-thing";
import { env } from "@/server/env";
import { staffPage } from "@/server/http/staff/page";

export default async function AccountLayout({ params, children }: AccountParams & { children: ReactNode }) {
  const { operator } = await staffPage();
  const { value: account, fault } = await accountOf((await params).id);
  if (!account) return <MissingThing thing="account" fault={fault} />;
  return (
    <>
      <AccountHead account={account} isAdmin={operator.role === "admin"} appUrl={env().APP_URL} />
      {children}
    </>
  );
}
