import { Sample, type SampleText } from "@/components/docs/sample";
import { Tabs } from "@/components/docs/tabs";

/** The same verification in several languages. */
export function WebhookCode({ samples }: { samples: readonly (SampleText & { title: string })[] }) {
  return (
    <Tabs
      id="verify-code"
      name="Language"
      tabs={samples.map(({ title, ...sample }) => ({ title, body: <Sample {...sample} isTall /> }))}
    />
  );
}
