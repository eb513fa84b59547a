import type { Contact, ContactMerge } from '@balcao/contract/contacts/contacts.ts'
import { Button, Text } from '@mantine/core'
import { IconArrowBackUp, IconGitMerge } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { reasonOf } from '../../../kit/api-error.ts'
import { formatDateTime, plural } from '../../../kit/format.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { notify } from '../../../ui/notify.ts'
import { mergesQuery, renewContacts, undoMerge } from './merge-api.ts'
import classes from './merged-contacts.module.css'
import { showPhone } from './phone.ts'

const MergeDialog = lazy(async () => ({ default: (await import('./merge-dialog.tsx')).MergeDialog }))

/** Who became part of this contact, and the way there and back. */
export const MergedContacts = ({ contact }: { contact: Contact }) => {
  const cache = useQueryClient()
  const canMerge = useCan('contacts.merge')
  const merges = useQuery(mergesQuery(contact.id))
  const [isMerging, setMerging] = useState(false)
  const [undoing, setUndoing] = useState<ContactMerge | null>(null)
  const [busy, setBusy] = useState(false)
  const items = merges.data?.items ?? []

  const handleUndo = async () => {
    if (!undoing) return
    setBusy(true)
    try {
      await undoMerge(undoing.id)
      notify.success(`${undoing.merged.name} voltou a ser um contato.`)
      setUndoing(null)
    } catch (error) {
      notify.error(reasonOf(error))
    } finally {
      setBusy(false)
      renewContacts(cache)
    }
  }
  return (
    <div className={classes.merges}>
      {items.length === 0 && !merges.isPending && (
        <Text size="sm" c="dimmed">
          Nenhum outro contato faz parte deste.
        </Text>
      )}
      {items.length > 0 && (
        <ul className={classes.list}>
          {items.map((merge) => (
            <li key={merge.id} className={classes.item}>
              <div className={classes.words}>
                <span className="truncate">
                  {merge.merged.name}
                  {merge.merged.number && ` · ${showPhone(merge.merged.number)}`}
                </span>
                <Text size="xs" c="dimmed" component="span">
                  {[
                    merge.user?.name,
                    formatDateTime(merge.createdAt),
                    plural(merge.tickets, 'atendimento', 'atendimentos'),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
              </div>
              {canMerge && (
                <Button
                  size="compact-xs"
                  variant="default"
                  leftSection={<IconArrowBackUp size={14} aria-hidden />}
                  aria-label={`Desfazer a união com ${merge.merged.name}`}
                  onClick={() => setUndoing(merge)}
                >
                  Desfazer
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {canMerge && !contact.isGroup && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconGitMerge size={16} aria-hidden />}
          onClick={() => setMerging(true)}
        >
          Unir com outro contato
        </Button>
      )}
      {isMerging && (
        <Suspense fallback={null}>
          <MergeDialog contact={contact} onClose={() => setMerging(false)} />
        </Suspense>
      )}
      <ConfirmDialog
        opened={undoing !== null}
        title="Desfazer esta união?"
        confirmLabel="Desfazer união"
        busy={busy}
        onClose={() => setUndoing(null)}
        onConfirm={() => void handleUndo()}
      >
        {undoing &&
          `${undoing.merged.name} volta com seus telefones e ${plural(undoing.tickets, 'atendimento', 'atendimentos')}. O que começou depois da união fica com ${contact.name}.`}
      </ConfirmDialog>
    </div>
  )
}
