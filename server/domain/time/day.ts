import { fourDigits, twoDigits } from "@/server/domain/time/digits";

declare const brand: unique symbol;

/** A date of the proleptic Gregorian calendar: whole days since 1970-01-01. */
export type Day = number & { readonly [brand]: "day" };

/** The parts of a date. month and dayOfMonth count from 1. */
export interface CivilDate {
  year: number;
  month: number;
  dayOfMonth: number;
}

const CYCLE_DAYS = 146_097; // 400 years
const MARCH_0000_DAYS = 719_468; // from 0000-03-01 to 1970-01-01
const written = /^\d{4}-\d{2}-\d{2}$/;

/** Parses `YYYY-MM-DD`, years 0001–9999. Returns null for any other text and for dates that do not exist. */
export function parseDay(text: string): Day | null {
  if (text.length !== 10 || !written.test(text)) return null;
  const year = Number(text.slice(0, 4));
  const month = Number(text.slice(5, 7));
  const dayOfMonth = Number(text.slice(8, 10));
  if (year < 1 || month < 1 || month > 12 || dayOfMonth < 1 || dayOfMonth > daysInMonth(year, month)) return null;
  return dayFromCivil(year, month, dayOfMonth);
}

/**
 * Says what is wrong with a text that should be a date or a time: `shape`, unless it is a date that no calendar has.
 */
export function dayFault(text: unknown, shape: string): string {
  const isWritten = typeof text === "string" && /^\d{4}-\d{2}-\d{2}(?:[Tt ]|$)/.test(text);
  return isWritten && parseDay(text.slice(0, 10)) === null ? "is invalid: this date doesn't exist" : shape;
}

/** Formats a date as `YYYY-MM-DD`; years 0–9999. */
export function formatDay(day: Day): string {
  const { year, month, dayOfMonth } = civil(day);
  return `${fourDigits(year)}-${twoDigits(month)}-${twoDigits(dayOfMonth)}`;
}

/** Splits a date into year, month and day of the month. */
export function civil(day: Day): CivilDate {
  // Years that begin on 1 March end with their leap day, which makes both divisions below exact.
  const cycle = Math.floor((day + MARCH_0000_DAYS) / CYCLE_DAYS);
  const ofCycle = day + MARCH_0000_DAYS - cycle * CYCLE_DAYS;
  const leapDays = Math.floor(ofCycle / 1460) - Math.floor(ofCycle / 36_524) + Math.floor(ofCycle / 146_096);
  const yearOfCycle = Math.floor((ofCycle - leapDays) / 365);
  const ofYear = ofCycle - 365 * yearOfCycle - Math.floor(yearOfCycle / 4) + Math.floor(yearOfCycle / 100);
  const fromMarch = Math.floor((5 * ofYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return {
    year: cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0),
    month,
    dayOfMonth: ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  };
}

/** Builds a date from its parts: month 1–12. A day of the month past its end runs on into the next. */
export function dayFromCivil(year: number, month: number, dayOfMonth: number): Day {
  const marchYear = month <= 2 ? year - 1 : year;
  const cycle = Math.floor(marchYear / 400);
  const yearOfCycle = marchYear - cycle * 400;
  const ofYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + dayOfMonth - 1;
  const ofCycle = yearOfCycle * 365 + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100) + ofYear;
  return (cycle * CYCLE_DAYS + ofCycle - MARCH_0000_DAYS) as Day;
}

/** Returns the day of the week: 0 is Monday, 6 is Sunday. */
export function weekday(day: Day): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** Returns how many days a month (1–12) has. */
export function daysInMonth(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}
