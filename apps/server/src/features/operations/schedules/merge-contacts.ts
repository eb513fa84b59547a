import { movesRows } from '../../contacts/contacts/merge-part.ts'

export const schedulesOfMerge = movesRows('scheduleIds', 'schedules')
