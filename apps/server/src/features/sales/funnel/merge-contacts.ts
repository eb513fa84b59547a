import { movesRows } from '../../contacts/contacts/merge-part.ts'

export const opportunitiesOfMerge = movesRows('opportunityIds', 'opportunities')
