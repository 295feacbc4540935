/** How many notes of an account are shown. */
export const MOST_NOTES = 100;

export interface AccountNote {
  id: string;
  text: string;
  /** The author's name. Null: they are no longer an operator. */
  author: string | null;
  createdAt: string;
  /** Whether the caller may delete it: the author and admins may. */
  mayDelete: boolean;
}
