"use client";

import { useRouter } from "next/navigation";
import type { FormEvent } from "react";
import { queriedTime, typedTime } from "@/components/dashboard/address/time-range";
import { Button } from "@/components/ui/button";
import { SelectField, TextField } from "@/components/ui/field";
import { zoneNameAt } from "@/components/ui/local-time";
import { useTimes } from "@/components/ui/times";

interface WhenFormProps {
  path: string;
  /** ISO in UTC. */
  around: string;
  minutes: string;
}

const spans = [
  { value: "5", label: "5 minutes" },
  { value: "30", label: "30 minutes" },
  { value: "120", label: "2 hours" },
  { value: "720", label: "12 hours" },
];

/** Shows a form for the time in question. Without scripts it is a plain form, whose time is UTC. */
export function WhenForm({ path, around, minutes }: WhenFormProps) {
  const router = useRouter();
  const { mode, zone } = useTimes();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const time = queriedTime(String(data.get("around") ?? ""), zone);
    router.push(`${path}?${new URLSearchParams({ around: time, minutes: String(data.get("minutes") ?? "") })}`);
  };
  return (
    <form
      method="get"
      action={path}
      onSubmit={submit}
      aria-label="Time"
      className="flex flex-wrap items-end gap-3 px-6 pt-3 pb-4 max-sm:px-4"
    >
      <TextField
        key={`${around} ${zone}`}
        label={`Around (${mode === "utc" ? "UTC" : `local time, ${zoneNameAt(around, zone)}`})`}
        name="around"
        type="datetime-local"
        step={1}
        required
        defaultValue={typedTime(around, zone)}
        className="w-56 max-sm:w-full"
      />
      <SelectField key={minutes} label="Before and after" name="minutes" defaultValue={minutes} className="w-32">
        {spans.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <Button type="submit" look="primary">
        Show
      </Button>
    </form>
  );
}
