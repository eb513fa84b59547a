import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { type Tag, tagResource } from '@balcao/contract/contacts/tags.ts'
import { ActionIcon, Button, Input, Tooltip } from '@mantine/core'
import { IconForms, IconMessages, IconUsersGroup } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { exportContacts } from '../../../features/contacts/contacts/api.ts'
import { ContactName } from '../../../features/contacts/contacts/contact-name.tsx'
import { contactResource } from '../../../features/contacts/contacts/contact-resource.ts'
import { DuplicateNotice } from '../../../features/contacts/contacts/duplicate-notice.tsx'
import { MergedContacts } from '../../../features/contacts/contacts/merged-contacts.tsx'
import { showPhone } from '../../../features/contacts/contacts/phone.ts'
import { PhoneText } from '../../../features/contacts/contacts/phone-text.tsx'
import { receiveJob } from '../../../features/conversations/tickets/bulk-api.ts'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { userOptions } from '../../../features/people/users/api.ts'
import { StartConversation } from '../../../features/workspace/inbox/start-conversation.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { allRows } from '../../../kit/resource-api.ts'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { useUrlList } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { TagList } from '../../../ui/tag-list.tsx'
import { BirthdaysButton } from './birthdays-button.tsx'
import { ContactFields } from './contact-fields.tsx'

const DuplicatesDrawer = lazy(async () => ({
  default: (await import('../../../features/contacts/contacts/duplicates-drawer.tsx')).DuplicatesDrawer,
}))
const FieldsDrawer = lazy(async () => ({
  default: (await import('../../../features/contacts/contacts/fields-drawer.tsx')).FieldsDrawer,
}))

export default function ContatosScreen() {
  const cache = useQueryClient()
  const mayTalk = useCan('tickets.write')
  const mayMerge = useCan('contacts.merge')
  const mayExport = useCan('contacts.export')
  const mayDefine = useCan('settings.write')
  const [drawer, setDrawer] = useState<'duplicates' | 'fields' | null>(null)
  const [tagIds, setTagIds] = useUrlList('etiqueta')
  const [walletIds, setWalletIds] = useUrlList('carteira')
  const [, setParams] = useSearchParams()
  const [talkingTo, setTalkingTo] = useState<Contact | null>(null)
  const tags = useQuery(allRows<Tag>(tagResource))
  const people = useQuery(userOptions)

  return (
    <>
      <ResourceScreen
        resource={contactResource}
        purpose="As pessoas que falam com a sua empresa, por qualquer canal."
        emptyText="Eles aparecem sozinhos quando alguém escreve. Você também pode cadastrar o primeiro agora."
        query={{ tagIds, walletIds }}
        extraFilters={
          <>
            <FilterMenu
              label="Etiquetas"
              options={(tags.data ?? []).map(({ id, name, color }) => ({
                value: id,
                label: name,
                mark: <ColorDot color={color} />,
              }))}
              value={tagIds}
              onChange={setTagIds}
            />
            <FilterMenu
              label="Carteira"
              options={(people.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
              value={walletIds}
              onChange={setWalletIds}
            />
            <BirthdaysButton />
            {mayMerge && (
              <Button
                variant="default"
                fw={400}
                leftSection={<IconUsersGroup size={18} aria-hidden />}
                onClick={() => setDrawer('duplicates')}
              >
                Possíveis duplicados
              </Button>
            )}
            {mayDefine && (
              <Button
                variant="default"
                fw={400}
                leftSection={<IconForms size={18} aria-hidden />}
                onClick={() => setDrawer('fields')}
              >
                Campos personalizados
              </Button>
            )}
          </>
        }
        clearFilters={() => setParams({}, { replace: true })}
        exportAll={async (query) => receiveJob(cache, await exportContacts(query))}
        progress={<BulkProgress kind="exportContacts" />}
        mayExport={mayExport}
        refusedField={{ ERR_DUPLICATED_CONTACT: 'number' }}
        explain={(error) => <DuplicateNotice error={error} />}
        toValues={(contact) => ({
          number: contact.number ? showPhone(contact.number) : '',
          tagIds: contact.tags.map((tag) => tag.id),
          walletIds: contact.wallets.map((owner) => owner.id),
        })}
        columns={[
          { key: 'name', label: 'Nome', render: (contact) => <ContactName contact={contact} /> },
          {
            key: 'number',
            label: 'Telefone',
            width: 170,
            wideOnly: true,
            render: (contact) => contact.number && <PhoneText number={contact.number} />,
          },
          { key: 'email', label: 'E-mail', wideOnly: true, render: (contact) => contact.email },
          { key: 'tags', label: 'Etiquetas', wideOnly: true, render: (contact) => <TagList tags={contact.tags} /> },
          {
            key: 'wallets',
            label: 'Carteira',
            wideOnly: true,
            render: (contact) => contact.wallets.map((owner) => owner.name).join(', '),
          },
          {
            key: 'lastMessageAt',
            label: 'Última mensagem',
            width: 150,
            wideOnly: true,
            render: (contact) => contact.lastMessageAt && <RelativeTime moment={contact.lastMessageAt} />,
          },
          {
            key: 'createdAt',
            label: 'Criado',
            width: 120,
            wideOnly: true,
            render: (contact) => <RelativeTime moment={contact.createdAt} />,
          },
        ]}
        rowActions={(contact) =>
          mayTalk && (
            <Tooltip label="Iniciar conversa">
              <ActionIcon aria-label={`Iniciar conversa com ${contact.name}`} onClick={() => setTalkingTo(contact)}>
                <IconMessages size={18} stroke={1.75} />
              </ActionIcon>
            </Tooltip>
          )
        }
        fields={(form, contact) => (
          <>
            {contact && mayTalk && (
              <Button
                variant="default"
                leftSection={<IconMessages size={18} aria-hidden />}
                onClick={() => setTalkingTo(contact)}
              >
                Iniciar conversa
              </Button>
            )}
            <ContactFields form={form} contact={contact} />
            {contact && !contact.isGroup && (
              <Input.Wrapper label="União de contatos" labelElement="div">
                <MergedContacts contact={contact} />
              </Input.Wrapper>
            )}
          </>
        )}
      />
      <Suspense fallback={null}>
        {drawer === 'duplicates' && <DuplicatesDrawer onClose={() => setDrawer(null)} />}
        {drawer === 'fields' && <FieldsDrawer onClose={() => setDrawer(null)} />}
      </Suspense>
      <StartConversation contact={talkingTo} onClose={() => setTalkingTo(null)} />
    </>
  )
}
