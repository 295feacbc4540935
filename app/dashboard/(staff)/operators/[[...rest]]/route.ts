export { movedOperators as GET } from "@/server/http/staff/moved-operators";
