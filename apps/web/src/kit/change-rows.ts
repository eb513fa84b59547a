import type { Resource } from '@balcao/contract/resource.ts'
import { notify } from '../ui/notify.ts'
import { messageOf } from './api-error.ts'
import { plural } from './format.ts'
import { type PlainRow, saveRow } from './resource-api.ts'

const together = 4

/** The same change of several rows, a few at a time; what is refused is told, and how many were changed. */
export const changeRows = async (
  resource: Resource,
  rows: readonly { id: string }[],
  change: Record<string, unknown>,
): Promise<void> => {
  const queue = [...(rows as readonly PlainRow[])] // as their lists read them
  const refused = new Set<string>()
  let done = 0
  const work = async () => {
    for (let row = queue.shift(); row; row = queue.shift()) {
      try {
        await saveRow(resource, row, change)
        done += 1
      } catch (error) {
        refused.add(messageOf(error))
      }
    }
  }
  await Promise.all(Array.from({ length: together }, work))
  for (const message of refused) notify.error(message)
  if (done) notify.success(plural(done, 'item alterado.', 'itens alterados.'))
}
