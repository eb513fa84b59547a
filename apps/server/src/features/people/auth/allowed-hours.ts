import { type BusinessDay, isOpenAt } from '@balcao/contract/core/business-hours.ts'

/** Whether this person may be at work now, by the company's clock; no hours mean always. */
export const isWithinAllowedHours = (
  user: { allowedHours: readonly BusinessDay[] },
  timezone: string,
  now = new Date(),
) => isOpenAt(user.allowedHours, [], now, timezone)
