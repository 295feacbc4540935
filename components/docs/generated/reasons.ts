import { table } from "@/components/docs/written/parts";
import { reasonOfAnyProvider, reasons } from "@/server/domain/trouble/reasons";

/** Lists the reasons of statuses and receipts. */
export function reasonTable(): string {
  const rows = reasons.map((reason) => [`\`${reason}\``, reasonOfAnyProvider(reason)]);
  return table({ head: ["`reason`", "What it means"], rows });
}
