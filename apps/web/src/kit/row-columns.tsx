import { StatusDot } from '../ui/status-dot.tsx'
import { formatDateTime } from './format.ts'
import { RelativeTime } from './relative-time.tsx'
import type { ResourceColumn } from './resource-screen.tsx'

/** Whether a row is in use, in the gender of what it is: `activeColumn('Ativa', 'Inativa')`. */
export const activeColumn = (on: string, off: string): ResourceColumn<{ isActive: boolean }> => ({
  key: 'isActive',
  label: 'Situação',
  width: 140,
  render: ({ isActive }) => <StatusDot tone={isActive ? 'good' : 'quiet'} label={isActive ? on : off} />,
  csv: ({ isActive }) => (isActive ? on : off),
})

/** When a row was last changed: `changedColumn('Alterada')`. */
export const changedColumn = (label: string): ResourceColumn<{ updatedAt: string }> => ({
  key: 'updatedAt',
  label,
  width: 160,
  wideOnly: true,
  render: ({ updatedAt }) => <RelativeTime moment={updatedAt} />,
  csv: ({ updatedAt }) => formatDateTime(updatedAt),
})
