import { CopyButton } from "@/components/ui/copy-button";

/** Shows a secret now and never again. */
export function SecretOnce({ name, value }: { name: string; value: string }) {
  return (
    <div className="grid gap-1">
      <span className="text-13 font-medium">{name}</span>
      <div className="flex items-center gap-2 rounded-md border bg-sunk py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 font-mono text-13 wrap-anywhere">{value}</code>
        <CopyButton text={value} name={name} />
      </div>
    </div>
  );
}
