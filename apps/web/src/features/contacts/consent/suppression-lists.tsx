import type { SuppressionList } from '@balcao/contract/contacts/consent.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { Button, Text, Title } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { reasonOf } from '../../../kit/api-error.ts'
import { formatDateTime, formatNumber } from '../../../kit/format.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { notify } from '../../../ui/notify.ts'
import { suppressionsQuery, undoSuppressions } from './api.ts'
import classes from './suppression-lists.module.css'

/** The lists that were brought in, and the way back from each. */
export const SuppressionLists = ({ onAsked }: { onAsked: (job: BulkJob) => void }) => {
  const cache = useQueryClient()
  const lists = useQuery({ ...suppressionsQuery, staleTime: 0 })
  const [undoing, setUndoing] = useState<SuppressionList | null>(null)
  const [busy, setBusy] = useState(false)
  const items = lists.data?.items ?? []
  if (!items.length) return null
  const handleUndo = async () => {
    if (!undoing) return
    setBusy(true)
    try {
      onAsked(await undoSuppressions(undoing.id))
      notify.success('Desfazendo a lista.')
      setUndoing(null)
    } catch (error) {
      notify.error(reasonOf(error))
    }
    setBusy(false)
    void cache.invalidateQueries({ queryKey: suppressionsQuery.queryKey })
  }
  return (
    <section className={classes.lists} aria-label="Listas importadas">
      <Title order={2} size="h5">
        Listas importadas
      </Title>
      <ul className={classes.list}>
        {items.map((list) => (
          <li key={list.id} className={classes.item}>
            <div className={classes.words}>
              <span className={classes.proof}>{list.proof}</span>
              <Text size="xs" c="dimmed" component="span">
                {[
                  `${formatNumber(list.accepted)} de ${formatNumber(list.total)}`,
                  list.user.name,
                  formatDateTime(list.createdAt),
                  list.undoneAt && 'desfeita',
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </div>
            {!list.undoneAt && (
              <Button
                size="compact-xs"
                variant="default"
                leftSection={<IconArrowBackUp size={14} aria-hidden />}
                aria-label={`Desfazer a lista ${list.proof}`}
                onClick={() => setUndoing(list)}
              >
                Desfazer
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        opened={undoing !== null}
        title="Desfazer esta lista?"
        confirmLabel="Desfazer lista"
        busy={busy}
        onClose={() => setUndoing(null)}
        onConfirm={() => void handleUndo()}
      >
        Quem só estava descadastrado por ela volta ao que era antes. O que o contato pediu depois continua valendo.
      </ConfirmDialog>
    </section>
  )
}
