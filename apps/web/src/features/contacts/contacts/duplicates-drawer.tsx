import type { Contact, DuplicateGroup } from '@balcao/contract/contacts/contacts.ts'
import { Button, Drawer, Text } from '@mantine/core'
import { IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import classes from './duplicates-drawer.module.css'
import { duplicatesQuery } from './merge-api.ts'
import { MergeDialog } from './merge-dialog.tsx'
import { showPhone } from './phone.ts'

const reasonLabels: Record<DuplicateGroup['reason'], string> = {
  email: 'Mesmo e-mail',
  phone: 'Mesmo final de telefone',
  name: 'Mesmo nome',
}

/** Contacts that may be the same person, and the way to make them one. */
export const DuplicatesDrawer = ({ onClose }: { onClose: () => void }) => {
  const duplicates = useQuery({ ...duplicatesQuery, staleTime: 0 })
  const [pair, setPair] = useState<{ contact: Contact; other: Contact } | null>(null)
  const groups = duplicates.data?.items ?? []
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="min(100%, 480px)"
      title={
        <Text fw={600} size="lg" component="span">
          Possíveis duplicados
        </Text>
      }
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {duplicates.isPending ? (
        <SkeletonList rows={6} height={56} withAvatar />
      ) : duplicates.isError ? (
        <ErrorState message={messageOf(duplicates.error)} onRetry={() => void duplicates.refetch()} />
      ) : groups.length === 0 ? (
        <EmptyState icon={<IconUsersGroup size={26} stroke={1.5} />} title="Nenhum duplicado à vista">
          Procuramos contatos com o mesmo e-mail, o mesmo final de telefone ou o mesmo nome completo.
        </EmptyState>
      ) : (
        <ul className={classes.groups}>
          {groups.map((group) => (
            <li key={`${group.reason}:${group.value}`} className={classes.group}>
              <Text size="xs" c="dimmed">
                {reasonLabels[group.reason]}
              </Text>
              <ul className={classes.people}>
                {group.contacts.map((contact, at) => {
                  const [first] = group.contacts
                  return (
                    <li key={contact.id} className={classes.person}>
                      <Avatar name={contact.name} src={contact.profilePicUrl} size={34} />
                      <span className={classes.words}>
                        <span className="truncate">{contact.name}</span>
                        <Text size="sm" c="dimmed" className="truncate" component="span">
                          {[contact.number && showPhone(contact.number), contact.email].filter(Boolean).join(' · ') ||
                            'Sem telefone'}
                        </Text>
                      </span>
                      {at > 0 && first && (
                        <Button
                          size="compact-sm"
                          variant="default"
                          aria-label={`Unir ${contact.name} com ${first.name}`}
                          onClick={() => setPair({ contact: first, other: contact })}
                        >
                          Unir
                        </Button>
                      )}
                    </li>
                  )
                })}
              </ul>
            </li>
          ))}
        </ul>
      )}
      {duplicates.data?.hasMore && (
        <Text size="sm" c="dimmed" ta="center" mt="sm">
          Há mais. Eles aparecem conforme você une estes.
        </Text>
      )}
      {pair && <MergeDialog {...pair} onClose={() => setPair(null)} />}
    </Drawer>
  )
}
