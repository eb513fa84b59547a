import { type BusinessDay, isOpenAt } from '@balcao/contract/core/business-hours.ts'
import type { Profile } from '@balcao/contract/permissions.ts'

/** Whether this person may be at work now, by the company's clock; no hours mean always, a superadmin always may. */
export const isWithinAllowedHours = (
  user: { profile: Profile; allowedHours: readonly BusinessDay[] },
  timezone: string,
  now = new Date(),
) => user.profile === 'superadmin' || isOpenAt(user.allowedHours, [], now, timezone)
