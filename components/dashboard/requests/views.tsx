import Link from "next/link";
import { address, firstOf, type Params } from "@/components/dashboard/address/address";
import { classes } from "@/components/ui/classes";
import { requestList } from "@/server/services/staff/lists/requests";

const views = [
  { name: "All", path: requestList.path },
  { name: "Traffic", path: `${requestList.path}/traffic` },
  { name: "Errors by type", path: `${requestList.path}/errors` },
];

/** Links to the views of the request log, and keeps time and application. */
export function RequestViews({ here, params }: { here: string; params: Params }) {
  const { range, application } = { range: firstOf(params, "range"), application: firstOf(params, "application") };
  return (
    <nav aria-label="Views" className="flex rounded-md border p-px text-13">
      {views.map(({ name, path }) => (
        <Link
          key={path}
          href={address(path, { range, application })}
          prefetch={false}
          aria-current={path === here ? "page" : undefined}
          className={classes(
            "flex h-7 max-sm:h-8 items-center rounded-sm px-2.5 whitespace-nowrap",
            path === here ? "bg-picked" : "text-faint hover:bg-hover hover:text-ink",
          )}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
