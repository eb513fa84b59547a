import type { SettingsAnswer } from '@balcao/contract/people/settings.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'

/** Everything a company can set, whole. */
export const settingsQuery = queryOptions({
  queryKey: ['settings', 'all'],
  queryFn: ({ signal }) => api.get<SettingsAnswer>('/settings', { signal }),
})

/** Hours, message and holidays. */
export type Hours = Pick<SettingsAnswer, 'businessHours' | 'messageBusinessHours' | 'holidays' | 'timezone'>
export const hoursQuery = queryOptions({
  queryKey: ['settings', 'hours'],
  queryFn: ({ signal }) => api.get<Hours>('/tenants/business-hours/', { signal }),
})

export type Patch = Partial<SettingsAnswer>

/** Each setting has its own door; all answer the settings as they are now. `before`: as they were seen, else a 409. */
export const writeSettings = (patch: Patch, before?: Patch) =>
  api.put<SettingsAnswer>('/settings', { ...patch, before })
export const writeTimezone = ({ timezone }: Patch) => api.put<SettingsAnswer>('/settings/timezone', { timezone })
export const writeColors = ({ systemColors }: Patch, before?: Patch) =>
  api.put<SettingsAnswer>('/tenants/systemColors/', { systemColors, before })
export const writeLogo = ({ logoMediaId }: Patch) => api.put<SettingsAnswer>('/settings/logo', { mediaId: logoMediaId })
export const writeWeek = ({ businessHours }: Patch, before?: Patch) =>
  api.put<SettingsAnswer>('/tenants/business-hours/', { businessHours, before })
export const writeMessage = ({ messageBusinessHours }: Patch, before?: Patch) =>
  api.put<SettingsAnswer>('/tenants/message-business-hours/', { messageBusinessHours, before })
export const writeHolidays = ({ holidays }: Patch, before?: Patch) =>
  api.put<SettingsAnswer>('/tenants/holidays/', { holidays, before })
