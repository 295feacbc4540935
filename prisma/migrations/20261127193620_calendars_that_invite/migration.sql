-- rolling: safe: a nullable column that the previous version neither reads nor writes; calendars that it lists keep what is known
ALTER TABLE "calendars" ADD COLUMN     "invites" BOOLEAN;
