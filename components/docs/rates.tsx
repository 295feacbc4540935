import { Rows } from "@/components/docs/markdown";
import { formatCount } from "@/components/ui/number";
import type { Bucket } from "@/server/http/rate-limit/buckets";

const SECOND = 1_000_000;

interface RatesProps {
  application: Bucket;
  account: Bucket;
}

/** How many requests go through at once and each second, from the buckets that count them. */
export function Rates({ application, account }: RatesProps) {
  return (
    <Rows
      head={["Per", "Burst", "Sustained"]}
      rows={[
        ["Application", ...rateOf(application)],
        ["Account", ...rateOf(account)],
      ]}
    />
  );
}

function rateOf({ burst, interval }: Bucket): string[] {
  return [`${formatCount(burst)} requests`, `${formatCount(SECOND / interval)} per second`];
}
