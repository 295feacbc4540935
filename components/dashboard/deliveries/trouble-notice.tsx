import { accountPath } from "@/components/dashboard/address/paths";
import { troubleWords } from "@/components/dashboard/deliveries/absence-words";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import type { AccountTrouble } from "@/server/services/staff/deliveries/shapes";

interface TroubleNoticeProps {
  trouble: AccountTrouble;
  now: number;
  /** It stands on a page of the account. */
  isOfOneAccount?: boolean;
}

/** Says above deliveries why their account gets no more of them. */
export function TroubleNotice({ trouble, now, isOfOneAccount = false }: TroubleNoticeProps) {
  const { title, text } = troubleWords(trouble, now);
  return (
    <p className="border-t px-6 py-2.5 text-13 max-sm:px-4">
      <span className="font-medium text-red">{title}.</span> {text}{" "}
      {trouble.reason !== "channels_closed" && !isOfOneAccount && (
        <DetailLink href={accountPath(trouble.accountId)}>Open account</DetailLink>
      )}
    </p>
  );
}
