import { CodeSample, type Variant } from "@/components/docs/code-sample";

/** The same verification in several languages. */
export function WebhookCode({ samples }: { samples: readonly Variant[] }) {
  return <CodeSample id="verify-code" name="Verify a webhook" variants={samples} isTall />;
}
