import { newId } from "@/server/db/new-id";
import { markedId } from "@/server/demo/marks";
import type { FilledAccount } from "@/server/demo/month/accounts";
import type { Month } from "@/server/demo/month/month";
import { HOUR_MS } from "@/server/demo/month/time";

const notes = [
  {
    ...{ about: "hannah@kaya-dental.example", by: "ines@almanac-support.example", hoursAgo: 19 },
    text: "Hannah changed her Google password on Thursday, which ended the connection.\nSent her the reconnect link by email. She reconnects when she is back at the practice on Monday.",
  },
  {
    ...{ about: "hannah@kaya-dental.example", by: "priya@northwind-booking.example", hoursAgo: 3 },
    text: "The practice called: they want the three waiting appointments in the calendar today. Asked them to reconnect first.",
  },
  {
    ...{ about: "isabel@navarro-legal.example", by: "jonas@almanac-support.example", hoursAgo: 4 },
    text: "Outlook refuses to move one occurrence past the next one. Northwind will move the whole series instead.",
  },
];

/** Stores what operators wrote about accounts. They go with the accounts. */
export async function fillNotes({ db: { prisma }, now }: Month, accounts: readonly FilledAccount[]): Promise<void> {
  const data = notes.flatMap(({ about, by, hoursAgo, text }) => {
    const account = accounts.find(({ person }) => person.email === about);
    const createdAt = new Date(now - hoursAgo * HOUR_MS);
    return account
      ? [{ id: newId("nte"), accountId: account.id, operatorId: markedId("opr", by), text, createdAt }]
      : [];
  });
  await prisma.accountNote.createMany({ data });
}
