import { disableOperator, enableOperator, setOperatorRole } from "@/server/services/staff/operators/change";
import { createOperator } from "@/server/services/staff/operators/create";
import { listOperators } from "@/server/services/staff/operators/list";
import { resetOperatorPassword } from "@/server/services/staff/operators/reset-password";
import { staffRouter } from "@/server/services/staff/procedure/trpc";

/** The members of staff, for admins. */
export const operatorsRouter = staffRouter({
  list: listOperators,
  create: createOperator,
  setRole: setOperatorRole,
  disable: disableOperator,
  enable: enableOperator,
  resetPassword: resetOperatorPassword,
});
