import { z } from "zod";
import { MAX_EMAIL } from "@/server/domain/text-limits";
import { nameOf, text } from "@/server/services/fields";

const LONGEST_NAME = 100;

/** An operator's email address, in lower case. */
export const operatorEmail = text({ max: MAX_EMAIL })
  .transform((email) => email.trim().toLowerCase())
  .pipe(z.string().regex(/^[^\s@]+@[^\s@]+$/));

/** An operator's display name. */
export const operatorName = nameOf({ max: LONGEST_NAME });
