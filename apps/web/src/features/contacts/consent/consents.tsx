import { channels } from '@balcao/contract/channels/index.ts'
import { purposeLabels } from '@balcao/contract/contacts/consent.ts'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { Button, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconPencilPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { consentsQuery } from './api.ts'
import { ConsentDialog } from './consent-dialog.tsx'
import classes from './consents.module.css'
import { linesOf, standingOf } from './ledger.ts'
import { toldBy } from './opt-out-words.ts'

/** What the contact wants to receive beside the conversation itself, and how we know. */
export const Consents = ({ contact }: { contact: Contact }) => {
  const ledger = useQuery(consentsQuery(contact.id))
  const mayNote = useCan('contacts.write') && contact.identities.length > 0
  const [isNoting, setNoting] = useState(false)
  if (ledger.isPending) return <SkeletonList rows={1} />
  if (ledger.isError) return <ErrorState message={messageOf(ledger.error)} onRetry={() => void ledger.refetch()} />
  const { items } = ledger.data
  return (
    <div className={classes.consents}>
      {items.length === 0 && (
        <Text size="sm" c="dimmed">
          O contato não pediu nem recusou nada.
        </Text>
      )}
      {items.length > 0 && (
        <ul className={classes.standing} aria-label="O que vale agora">
          {standingOf(items).map(({ channel, purpose, isGiven }) => (
            <li key={`${channel}:${purpose}`} className={isGiven ? classes.given : classes.refused}>
              {isGiven ? <IconCircleCheck size={16} aria-hidden /> : <IconCircleX size={16} aria-hidden />}
              <span>
                {isGiven ? 'Aceita' : 'Não quer'} {purposeLabels[purpose].toLowerCase()}
                <Text component="span" size="xs" c="dimmed">
                  {` · ${channels[channel].label}`}
                </Text>
              </span>
            </li>
          ))}
        </ul>
      )}
      {items.length > 0 && (
        <ol className={classes.ledger} aria-label="Registros">
          {linesOf(items).map((line) => (
            <li key={line.id}>
              <span className={classes.words}>{toldBy(line)}</span>
              <Text size="xs" c="dimmed" component="span">
                {[
                  line.isGiven === null ? 'Voltou ao que era' : line.isGiven ? 'Aceitou' : 'Recusou',
                  line.purposes.map((purpose) => purposeLabels[purpose].toLowerCase()).join(' e '),
                  channels[line.channel].label,
                  formatDateTime(line.at),
                ].join(' · ')}
              </Text>
            </li>
          ))}
        </ol>
      )}
      {mayNote && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPencilPlus size={16} aria-hidden />}
          onClick={() => setNoting(true)}
        >
          Anotar pedido do contato
        </Button>
      )}
      {isNoting && <ConsentDialog contact={contact} onClose={() => setNoting(false)} />}
    </div>
  )
}
