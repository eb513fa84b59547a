import type { numbersCheck, numbersChecked } from '@balcao/contract/channels/connections.ts'
import type { z } from 'zod'
import { ChannelError } from '../../../channels/adapter.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { openOwn } from './running.ts'

/** Asks the network of a channel which of these numbers it knows. */
export const checkNumbers = async (
  actor: Actor,
  { whatsappId, numbers }: z.output<typeof numbersCheck>,
): Promise<z.output<typeof numbersChecked>> => {
  const { row, adapter, context } = await openOwn(actor, whatsappId)
  if (!adapter.numbers) throw new AppError('ERR_VALIDATION', { message: 'Este canal não confere números.' })
  // Its provider would say that it is on its way back, which is not so: somebody has to act first.
  if (row.status === 'DISCONNECTED')
    throw new AppError('ERR_CHANNEL_REFUSED', {
      message: 'Este canal não está conectado. Conecte-o antes de conferir números.',
    })
  try {
    const known = await adapter.numbers({ numbers: [...new Set(numbers)] }, context)
    return known.map(({ number, exists, identities }) => ({
      number,
      exists,
      lid: identities.find(({ kind }) => kind === 'lid')?.value ?? null,
    }))
  } catch (error) {
    if (error instanceof ChannelError) throw new AppError('ERR_CHANNEL_REFUSED', { message: error.textForCaller })
    throw error
  }
}
