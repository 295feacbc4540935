import { type FindingWords, findingWords } from "@/components/dashboard/account-page/timeline/finding-words";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { classes } from "@/components/ui/classes";
import { dotOf } from "@/components/ui/state";
import type { Timeline } from "@/server/services/staff/accounts/timeline/shapes";

/** Shows the explanation: first what decides, then what adds to it. */
export function Findings({ timeline, zone }: { timeline: Timeline; zone: string }) {
  const all = timeline.findings.map((finding) => findingWords(finding, { timeline, zone }));
  return (
    <ol aria-label="Reasons" className="border-t">
      {all.map((words, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are in a fixed order and have no name of their own.
        <Reason key={index} words={words} isFirst={index === 0} />
      ))}
    </ol>
  );
}

function Reason({ words: { tone, title, text, delivery }, isFirst }: { words: FindingWords; isFirst: boolean }) {
  return (
    <li className={classes("flex gap-3 px-6 max-sm:px-4", isFirst ? "py-4" : "border-t py-2.5")}>
      <span aria-hidden className={classes("mt-2 size-2 shrink-0 rounded-full", dotOf[tone])} />
      <div className="min-w-0 max-w-prose wrap-anywhere">
        <p className={classes(isFirst ? "text-16" : "text-13 font-medium", tone === "bad" && "text-red")}>{title}</p>
        <p className="text-13 text-faint">{text}</p>
        {delivery && (
          <p className="text-13">
            <DetailLink href={`/dashboard/deliveries?${new URLSearchParams({ open: delivery })}`}>
              View delivery
            </DetailLink>
          </p>
        )}
      </div>
    </li>
  );
}
