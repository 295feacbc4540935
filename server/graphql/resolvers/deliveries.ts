import { builder, enumOf } from "@/server/graphql/builder";
import { listFields } from "@/server/graphql/list-fields";
import { Account } from "@/server/graphql/resolvers/accounts";
import { Application } from "@/server/graphql/resolvers/applications";
import { Channel } from "@/server/graphql/resolvers/channels";
import { Delivery, StateEnum, Summary, TypeEnum } from "@/server/graphql/resolvers/delivery";
import { deliveryList } from "@/server/services/staff/lists/deliveries";

builder.queryField("delivery", (t) =>
  t.field({
    type: Delivery,
    description: "One delivery with its attempts. Reading it is recorded in the audit log.",
    nullable: true,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ask }) => ask((api) => api.deliveries.get({ id })),
  }),
);

const { errorClass, statusClass } = deliveryList.filters;

listFields({
  name: "Delivery",
  node: Summary,
  list: deliveryList,
  about:
    "A delivery must match every field, and one value of each list. On an account, application or channel, its own ID takes precedence.",
  enums: {
    state: StateEnum,
    errorClass: enumOf("ErrorClass", errorClass.values),
    statusClass: enumOf("DeliveryStatusClass", statusClass.values, { none: "No response, or no attempt yet." }),
    type: TypeEnum,
  },
  owners: { application: Application, account: Account, channel: Channel },
  page: (api, input) => api.deliveries.list(input),
  count: (api, filters) => api.deliveries.count(filters),
});
