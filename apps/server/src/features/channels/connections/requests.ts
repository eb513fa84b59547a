import type { Actor } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { asked, openOwn } from './running.ts'

/** The forms its provider has published for this account. */
export const readForms = async (actor: Actor, id: string) => {
  const { requests, context } = await open(actor, id)
  return { items: await asked(requests.forms(context)) }
}

/** Products of the catalogue connected to this account, by name. */
export const readCatalog = async (actor: Actor, id: string, search: string) => {
  const { requests, context } = await open(actor, id)
  return asked(requests.catalog({ search }, context))
}

const open = async (actor: Actor, id: string) => {
  const { adapter, context } = await openOwn(actor, id)
  if (!adapter.requests)
    throw new AppError('ERR_CHANNEL_UNSUPPORTED', { message: 'Este canal não tem formulários nem catálogo.' })
  return { requests: adapter.requests, context }
}
