import { templateLanguages } from '@balcao/contract/channels/template-draft.ts'
import {
  rejectionText,
  templateCategoryLabels,
  templateQualityLabels,
  templateStatusLabels,
} from '@balcao/contract/channels/template-text.ts'
import type { MessageTemplate } from '@balcao/contract/channels/templates.ts'
import { ActionIcon, Button, Group, Tooltip } from '@mantine/core'
import { IconCopy, IconPlus, IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { categoryLabel } from '../../../features/conversations/templates/category.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { keepRows } from '../../../kit/paged-list.ts'
import { ReadingScreen } from '../../../kit/reading-screen.tsx'
import { useChangeParams, useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { useOpened } from '../../../kit/use-opened.ts'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { GoTo } from '../../../ui/go-to.tsx'
import { notify } from '../../../ui/notify.ts'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'
import classes from './modelos.module.css'
import { TemplateDrawer } from './template-drawer.tsx'
import { templatesOf, useDeleteTemplate } from './templates-api.ts'

const options = (labels: Partial<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label: label ?? value }))
const statusOptions = options(templateStatusLabels)
const categoryOptions = options(templateCategoryLabels)
const tones: Partial<Record<string, StatusTone>> = { APPROVED: 'good', PENDING: 'waiting', IN_APPEAL: 'waiting' }
const nameOf = (row: MessageTemplate) => `modelo ${row.name}`

/** The templates of the company's official numbers: written here, judged by Meta. */
export default function ModelosScreen() {
  const { opened, setOpened } = useOpened()
  const change = useChangeParams()
  const [searchParam] = useUrlState('busca')
  const [connectionId, setConnectionId] = useUrlList('canal')
  const [status, setStatus] = useUrlList('situacao')
  const [category, setCategory] = useUrlList('categoria')
  const [deleting, setDeleting] = useState<MessageTemplate | null>(null)
  const connections = useQuery(connectionList)
  const removal = useDeleteTemplate()
  const filter = { searchParam, connectionId, status, category }
  const list = useInfiniteQuery({ ...templatesOf(filter), placeholderData: keepRows })
  const withTemplates = (connections.data ?? []).filter(({ abilities }) => abilities.supports.includes('template'))
  const editable = withTemplates.filter(({ abilities }) => abilities.supports.includes('templateEditor'))
  const isEditable = (row: MessageTemplate) => editable.some(({ id }) => id === row.connectionId)
  const channelOf = (row: MessageTemplate) => withTemplates.find(({ id }) => id === row.connectionId)?.name ?? ''

  const handleDelete = () => {
    if (!deleting) return
    removal.mutate(deleting.id, {
      onSuccess: () => {
        notify.success(`Modelo ${deleting.name} excluído na Meta.`)
        if (opened === deleting.id) setOpened(null)
      },
      onError: (error) => notify.error(messageOf(error)),
      onSettled: () => setDeleting(null),
    })
  }
  const begin = (copyOf?: MessageTemplate) =>
    change((params) => {
      params.set('registro', 'novo')
      if (copyOf) params.set('de', copyOf.id)
      else params.delete('de')
    })
  const handleClose = () =>
    change((params) => {
      params.delete('registro')
      params.delete('de')
    })
  const addButton = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => begin()}>
      Novo modelo
    </Button>
  )

  return (
    <ReadingScreen<MessageTemplate>
      title="Modelos de mensagem"
      purpose="O que o WhatsApp oficial deixa enviar a quem não escreveu nas últimas 24 horas. A Meta analisa cada um."
      actions={editable.length > 0 && addButton}
      searchLabel="Buscar nome ou texto"
      filters={
        <>
          {withTemplates.length > 1 && (
            <FilterMenu
              label="Canal"
              options={withTemplates.map(({ id, name }) => ({ value: id, label: name }))}
              value={connectionId}
              onChange={setConnectionId}
            />
          )}
          <FilterMenu label="Situação" options={statusOptions} value={status} onChange={setStatus} />
          <FilterMenu label="Categoria" options={categoryOptions} value={category} onChange={setCategory} />
        </>
      }
      list={list}
      rowName={nameOf}
      onOpen={(row) => setOpened(row.id)}
      activeId={opened}
      empty={
        editable.length > 0
          ? {
              title: 'Ainda não há modelos',
              text: 'Escreva o primeiro: a Meta costuma responder em minutos.',
              action: addButton,
            }
          : {
              title: 'Nenhum WhatsApp oficial conectado',
              text: 'Modelos pertencem a um número da WhatsApp Cloud API. Adicione um canal desse tipo.',
              action: <GoTo to="/sessoes" label="Ver canais" />,
            }
      }
      under={(row) => (
        <>
          <TemplateState row={row} /> · {categoryLabel(row.category)}
        </>
      )}
      columns={[
        {
          key: 'name',
          label: 'Modelo',
          fills: true,
          render: (row) => (
            <span className={classes.cell}>
              <span className="truncate">{row.name}</span>
              <span className={classes.sample}>{row.shape?.body.text ?? row.obstacle}</span>
            </span>
          ),
        },
        { key: 'status', label: 'Situação', width: 150, wideOnly: true, render: (row) => <TemplateState row={row} /> },
        {
          key: 'quality',
          label: 'Qualidade',
          width: 100,
          wideOnly: true,
          render: (row) => templateQualityLabels[row.quality ?? ''] ?? '—',
        },
        {
          key: 'category',
          label: 'Categoria',
          width: 120,
          wideOnly: true,
          render: (row) => categoryLabel(row.category),
        },
        {
          key: 'language',
          label: 'Idioma',
          width: 170,
          wideOnly: true,
          render: ({ language }) => languageNames.get(language) ?? language,
        },
        ...(withTemplates.length > 1
          ? [{ key: 'channel', label: 'Canal', width: 160, wideOnly: true, render: channelOf }]
          : []),
      ]}
      rowActions={(row) =>
        isEditable(row) && (
          <Group gap={2} wrap="nowrap" justify="flex-end">
            <Tooltip label="Duplicar">
              <ActionIcon aria-label={`Duplicar ${nameOf(row)}`} onClick={() => begin(row)}>
                <IconCopy size={18} stroke={1.75} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label="Excluir">
              <ActionIcon aria-label={`Excluir ${nameOf(row)}`} onClick={() => setDeleting(row)}>
                <IconTrash size={18} stroke={1.75} />
              </ActionIcon>
            </Tooltip>
          </Group>
        )
      }
    >
      {opened && editable.length > 0 && (
        <TemplateDrawer
          key={opened}
          id={opened}
          connections={editable}
          onClose={handleClose}
          onDuplicate={begin}
          onDelete={setDeleting}
        />
      )}
      <ConfirmDelete
        opened={deleting !== null}
        what={`o modelo ${deleting?.name ?? ''}`}
        busy={removal.isPending}
        onConfirm={handleDelete}
        onClose={() => setDeleting(null)}
      >
        Ele é excluído na Meta e não pode mais ser enviado. O nome só pode ser usado de novo depois de 4 semanas.
      </ConfirmDelete>
    </ReadingScreen>
  )
}

const languageNames = new Map<string, string>(Object.entries(templateLanguages))

const TemplateState = ({ row }: { row: MessageTemplate }) => (
  <span title={rejectionText(row.rejectedReason) ?? undefined}>
    <StatusDot tone={tones[row.status] ?? 'bad'} label={templateStatusLabels[row.status] ?? row.status} />
  </span>
)
