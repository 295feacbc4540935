import { Rows } from "@/components/docs/markdown";
import type { Table } from "@/components/docs/markdown-parts";
import { formatCount } from "@/components/ui/number";
import type { Bucket } from "@/server/http/rate-limit/buckets";

const SECOND = 1_000_000;

interface RatesProps {
  application: Bucket;
  account: Bucket;
}

/** Shows how many requests are accepted at once and each second, from the buckets that count them. */
export function rates({ application, account }: RatesProps): Table {
  return {
    head: ["Per", "Burst", "Sustained"],
    rows: [
      ["Application", ...rateOf(application)],
      ["Account", ...rateOf(account)],
    ],
  };
}

export function Rates(props: RatesProps) {
  return <Rows {...rates(props)} />;
}

function rateOf({ burst, interval }: Bucket): string[] {
  return [`${formatCount(burst)} requests`, `${formatCount(SECOND / interval)} per second`];
}
