import { actions } from '@balcao/contract/conversations/actions/index.ts'
import type { Macro } from '@balcao/contract/service/macros.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { notify } from '../../../ui/notify.ts'
import { inTurn } from '../../conversations/messages/outbox.ts'
import { runMacro } from './api.ts'

/** Runs a macro on a conversation and tells how far it came. What was written before leaves before. */
export const runAndTell = async (macro: Macro, ticketId: string): Promise<void> => {
  try {
    const { done, total, refused } = await inTurn(ticketId, () => runMacro(macro.id, ticketId))
    if (!refused) {
      notify.success(`${macro.name}: ${total === 1 ? '1 passo feito' : `${total} passos feitos`}.`)
      return
    }
    const label = labelOf(refused.kind)
    const before =
      done === 0 ? 'Nada foi feito.' : done === 1 ? 'O passo anterior foi feito.' : 'Os anteriores foram feitos.'
    notify.error(`${macro.name} parou no passo ${refused.step} de ${total} (${label}): ${refused.message} ${before}`)
  } catch (error) {
    notify.error(messageOf(error))
  }
}

const labelOf = (kind: string) => Object.values(actions).find((one) => one.kind === kind)?.label ?? kind
