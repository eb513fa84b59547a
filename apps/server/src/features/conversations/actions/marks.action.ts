import { AppError } from '../../../kit/errors.ts'
import { markIn } from '../ticket-marks/ticket-marks.service.ts'
import type { Catalogue } from '../tickets/action-catalogue.ts'

export const mark: Catalogue['mark'] = {
  run: async ({ as }, { tx, by, ticket }) => {
    if (!by.actor) throw new AppError('ERR_INVALID_TRANSITION', { message: 'Só uma pessoa fixa ou acompanha.' })
    await markIn(tx, by.actor, ticket, as === 'pinned' ? { isPinned: true } : { isFollowed: true })
  },
}
