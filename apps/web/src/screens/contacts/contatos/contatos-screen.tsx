import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import type { Condition, Segment } from '@balcao/contract/contacts/segments/segments.ts'
import { type Tag, tagResource } from '@balcao/contract/contacts/tags.ts'
import { ActionIcon, Button, Input, Tooltip } from '@mantine/core'
import { IconFileImport, IconForms, IconMessages, IconPencil, IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { exportContacts } from '../../../features/contacts/contacts/api.ts'
import { BlockNumber } from '../../../features/contacts/contacts/block-number.tsx'
import { ContactName } from '../../../features/contacts/contacts/contact-name.tsx'
import { contactResource } from '../../../features/contacts/contacts/contact-resource.ts'
import { DuplicateNotice } from '../../../features/contacts/contacts/duplicate-notice.tsx'
import { MergedContacts } from '../../../features/contacts/contacts/merged-contacts.tsx'
import { showPhone } from '../../../features/contacts/contacts/phone.ts'
import { PhoneText } from '../../../features/contacts/contacts/phone-text.tsx'
import { newSegmentWith } from '../../../features/contacts/segments/api.ts'
import { SegmentFilter } from '../../../features/contacts/segments/segment-filter.tsx'
import { showCep } from '../../../features/conversations/places/api.ts'
import { receiveJob } from '../../../features/conversations/tickets/bulk-api.ts'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { userOptions } from '../../../features/people/users/api.ts'
import { StartConversation } from '../../../features/workspace/inbox/start-conversation.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { allRows, type ListQuery } from '../../../kit/resource-api.ts'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { TagList } from '../../../ui/tag-list.tsx'
import { ContactFields } from './contact-fields.tsx'

const Consents = lazy(async () => ({
  default: (await import('../../../features/contacts/consent/consents.tsx')).Consents,
}))
const ChangeContactsDialog = lazy(async () => ({
  default: (await import('./change-contacts-dialog.tsx')).ChangeContactsDialog,
}))
const FieldsDrawer = lazy(async () => ({
  default: (await import('../../../features/contacts/contacts/fields-drawer.tsx')).FieldsDrawer,
}))

const noAddress = { cep: '', street: '', number: '', complement: '', district: '', city: '', state: '' }

export default function ContatosScreen() {
  const cache = useQueryClient()
  const mayTalk = useCan('tickets.write')
  const mayExport = useCan('contacts.export')
  const mayImport = useCan('contacts.import')
  const mayDefine = useCan('settings.write')
  const mayBlock = useCan('blocked-numbers.write')
  const [isDefining, setDefining] = useState(false)
  const [tagIds, setTagIds] = useUrlList('etiqueta')
  const [walletIds, setWalletIds] = useUrlList('carteira')
  const [segmentId, setSegment] = useUrlState('segmento')
  const [importId, setImport] = useUrlState('importacao')
  const [params, setParams] = useSearchParams()
  const [changing, setChanging] = useState<{ chosen: Contact[]; listed: ListQuery; done: () => void } | null>(null)
  const [talkingTo, setTalkingTo] = useState<Contact | null>(null)
  const filterRules = rulesOfFilters(params.get('busca') ?? '', tagIds, walletIds, importId)
  const tags = useQuery(allRows<Tag>(tagResource))
  const people = useQuery(userOptions)

  return (
    <>
      <ResourceScreen
        resource={contactResource}
        purpose="As pessoas que falam com a sua empresa, por qualquer canal."
        emptyText="Eles aparecem sozinhos quando alguém escreve. Você também pode cadastrar o primeiro agora."
        query={{
          ...{ tagIds, walletIds, segmentId: segmentId || undefined },
          segment: importId ? JSON.stringify({ match: 'all', rules: ofImport(importId) }) : undefined,
        }}
        extraFilters={
          <>
            <SegmentFilter value={segmentId} onChange={setSegment} />
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
            {importId && (
              <Button
                variant="light"
                fw={400}
                rightSection={<IconX size={16} aria-hidden />}
                aria-label="Criados por uma importação: mostrar todos"
                onClick={() => setImport('')}
              >
                Criados por uma importação
              </Button>
            )}
            {filterRules && (
              <Button component={Link} to={newSegmentWith(filterRules)} variant="subtle" fw={400}>
                Salvar como segmento
              </Button>
            )}
            {mayImport && (
              <Button
                variant="default"
                fw={400}
                component={Link}
                to="/contatos/importar"
                leftSection={<IconFileImport size={18} aria-hidden />}
              >
                Importar
              </Button>
            )}
            {mayDefine && (
              <Button
                variant="default"
                fw={400}
                leftSection={<IconForms size={18} aria-hidden />}
                onClick={() => setDefining(true)}
              >
                Campos personalizados
              </Button>
            )}
          </>
        }
        clearFilters={() => setParams({}, { replace: true })}
        exportAll={async (query) => receiveJob(cache, await exportContacts(query))}
        exportXlsx={async (query) => receiveJob(cache, await exportContacts({ ...query, format: 'xlsx' }))}
        progress={
          <>
            <BulkProgress kind="exportContacts" />
            <BulkProgress kind="exportContactsXlsx" />
            <BulkProgress kind="changeContacts" />
            <BulkProgress kind="undoContactsChange" />
          </>
        }
        mayExport={mayExport}
        bulkActions={(chosen, done, listed) => (
          <Button
            size="xs"
            variant="light"
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={() => setChanging({ chosen, listed, done })}
          >
            Mudar
          </Button>
        )}
        refusedField={{ ERR_DUPLICATED_CONTACT: 'number' }}
        explain={(error) => <DuplicateNotice error={error} />}
        toValues={(contact) => ({
          number: contact.number ? showPhone(contact.number) : '',
          phones: contact.identities.flatMap(({ kind, value }) =>
            kind === 'phone' && value !== contact.number ? [showPhone(value)] : [],
          ),
          document: contact.document?.masked ?? null,
          address: contact.address ? { ...contact.address, cep: showCep(contact.address.cep) } : noAddress,
          tagIds: contact.tags.map((tag) => tag.id),
          walletIds: contact.wallets.map((owner) => owner.id),
        })}
        newValues={{ address: noAddress }}
        columns={[
          { key: 'name', label: 'Nome', render: (contact) => <ContactName contact={contact} /> },
          {
            key: 'number',
            label: 'Telefone',
            width: 170,
            wideOnly: true,
            render: (contact) => contact.number && <PhoneText number={contact.number} />,
          },
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
          { key: 'businessName', label: 'Empresa', wideOnly: true, render: (contact) => contact.businessName },
          {
            key: 'email',
            label: 'E-mail',
            fills: true,
            wideOnly: true,
            from: 'ample',
            render: (contact) => contact.email,
          },
          {
            key: 'createdAt',
            label: 'Criado',
            width: 120,
            wideOnly: true,
            from: 'vast',
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
              <>
                <Input.Wrapper label="O que aceita receber" labelElement="div">
                  <Suspense fallback={null}>
                    <Consents contact={contact} />
                  </Suspense>
                </Input.Wrapper>
                <Input.Wrapper label="União de contatos" labelElement="div">
                  <MergedContacts contact={contact} />
                </Input.Wrapper>
                {mayBlock && contact.number && (
                  <Input.Wrapper label="Bloqueio" labelElement="div">
                    <BlockNumber number={contact.number} name={contact.name} />
                  </Input.Wrapper>
                )}
              </>
            )}
          </>
        )}
      />
      <Suspense fallback={null}>
        {changing && (
          <ChangeContactsDialog
            {...changing}
            onClose={() => setChanging(null)}
            onAsked={(job) => {
              receiveJob(cache, job)
              changing.done()
            }}
          />
        )}
      </Suspense>
      <Suspense fallback={null}>{isDefining && <FieldsDrawer onClose={() => setDefining(false)} />}</Suspense>
      <StartConversation contact={talkingTo} onClose={() => setTalkingTo(null)} />
    </>
  )
}

/** The filters of the list as the rules of a segment; undefined while there are none. */
const rulesOfFilters = (
  search: string,
  tagIds: string[],
  walletIds: string[],
  importId: string,
): Segment | undefined => {
  const rules: Condition[] = [
    ...(search.trim() ? [{ field: 'name' as const, op: 'contains', value: search.trim() }] : []),
    ...(tagIds.length ? [{ field: 'tags' as const, op: 'any', value: tagIds }] : []),
    ...(walletIds.length ? [{ field: 'wallet' as const, op: 'any', value: walletIds }] : []),
    ...(importId ? ofImport(importId) : []),
  ]
  return rules.length ? { match: 'all', rules } : undefined
}
const ofImport = (id: string): Condition[] => [{ field: 'batch', op: 'any', value: [id] }]
