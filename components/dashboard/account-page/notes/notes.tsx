import { DeleteNote } from "@/components/dashboard/account-page/notes/delete-note";
import { NoteForm } from "@/components/dashboard/account-page/notes/note-form";
import { Section } from "@/components/ui/facts";
import { Aside, Line, Lines } from "@/components/ui/lines";
import { formatCount } from "@/components/ui/number";
import { Time } from "@/components/ui/time";
import type { AccountNote } from "@/server/services/staff/accounts/notes/shapes";

interface NotesProps {
  accountId: string;
  notes: readonly AccountNote[];
  /** All of the account's, of which the newest are shown. */
  count: number;
  now: number;
}

/** Shows what operators wrote about an account, and a field for more. */
export function Notes({ accountId, notes, count, now }: NotesProps) {
  return (
    <Section
      level={2}
      title="Notes"
      aside={count > notes.length ? `${formatCount(notes.length)} of ${formatCount(count)}` : formatCount(count)}
    >
      <NoteForm accountId={accountId} />
      {notes.length === 0 ? (
        <p className="mt-3 text-13 text-faint">No notes yet. Write down what the next person should know.</p>
      ) : (
        <div className="mt-4">
          <Lines>
            {notes.map((note) => (
              <Line key={note.id} actions={note.mayDelete && <DeleteNote id={note.id} createdAt={note.createdAt} />}>
                <p dir="auto" className="whitespace-pre-wrap">
                  {note.text}
                </p>
                <Aside>
                  <span className="text-ink">{note.author ?? "Former operator"}</span>
                  <Time at={note.createdAt} now={now} />
                </Aside>
              </Line>
            ))}
          </Lines>
        </div>
      )}
    </Section>
  );
}
