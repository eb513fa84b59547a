import { movesRows } from '../../contacts/contacts/merge-part.ts'

export const tasksOfMerge = movesRows('taskIds', 'tasks')
