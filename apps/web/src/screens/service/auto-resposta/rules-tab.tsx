import { definitionOf, describeAction } from '@balcao/contract/conversations/actions/index.ts'
import { blankPart, type ShownPart, wordsOf } from '@balcao/contract/conversations/parts.ts'
import { type AutoReply, autoReplyActions, autoReplyResource } from '@balcao/contract/service/auto-replies.ts'
import { ActionIcon, Button, Group } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconFlask, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useNames } from '../../../features/service/actions/use-names.ts'
import { reasonOf } from '../../../kit/api-error.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { activeColumn } from '../../../kit/row-columns.tsx'
import { useCurrentSession } from '../../../kit/session.ts'
import { useOpened } from '../../../kit/use-opened.ts'
import { notify } from '../../../ui/notify.ts'
import { autoReplies, orderAutoReplies } from './auto-reply-api.ts'
import { AutoReplyTabs } from './auto-reply-tabs.tsx'
import { RuleFields } from './rule-fields.tsx'
import { placeText, problemsOf, spokenParts, whenText } from './rule-words.ts'
import classes from './rules-tab.module.css'

const TryDialog = lazy(async () => ({ default: (await import('./try-dialog.tsx')).TryDialog }))

/** The rules in their order: the first that fits answers. */
export const RulesTab = () => {
  const { user } = useCurrentSession()
  const { nameOf } = useNames()
  const { setOpened } = useOpened()
  const [isTrying, setTrying] = useState(false)
  const rules = useQuery(autoReplies).data ?? []
  const ruleName = (id: string | null) => rules.find((one) => one.id === id)?.name
  const offered = autoReplyActions.filter((kind) => {
    const { can, canChoose = can } = definitionOf(kind)
    return user.permissions.includes(canChoose)
  })
  const doesText = ({ parts, actions, nextId }: AutoReply) =>
    [
      wordsOf(parts) || parts.map(({ media }) => media?.name).join(', '),
      ...actions.map((step) => describeAction(step, nameOf)),
      ...(nextId ? [`continua em ${ruleName(nextId) ?? 'outra'}`] : []),
    ]
      .filter(Boolean)
      .join(' → ')
  return (
    <ResourceScreen
      resource={autoReplyResource}
      purpose="Quando o cliente escreve certas palavras, a resposta sai sozinha. A primeira da lista que combina responde."
      emptyText="Comece pelo que mais perguntam: horário, endereço, chave pix, segunda via."
      ordered={false}
      extraFilters={<AutoReplyTabs value="respostas" />}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconFlask size={18} aria-hidden />}
            disabled={!rules.length}
            onClick={() => setTrying(true)}
          >
            Testar
          </Button>
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpened('novo')}>
            Criar resposta
          </Button>
          <Suspense fallback={null}>
            {isTrying && <TryDialog rules={rules} onClose={() => setTrying(false)} />}
          </Suspense>
        </>
      }
      newValues={{
        starts: 'words',
        isFirstOnly: false,
        keywords: [{ text: '', mode: 'contains' }],
        parts: [{ ...blankPart('text'), media: null } as ShownPart],
      }}
      check={problemsOf}
      beforeSave={(values) => ({
        ...values,
        keywords: values.starts === 'words' ? values.keywords : [],
        parts: spokenParts(values),
      })}
      rowActions={(row) => <OrderButtons row={row} ids={rules.map(({ id }) => id)} />}
      columns={[
        {
          key: 'name',
          label: 'Nome',
          width: 230,
          render: (row) => (
            <span className={classes.words}>
              <strong>{row.name}</strong>
              {row.afterId && <span className={classes.meta}>↳ depois de {ruleName(row.afterId) ?? 'outra'}</span>}
              <span className={classes.narrow}>
                {[...(row.isActive ? [] : ['Inativa']), whenText(row)].join(' · ')}
              </span>
            </span>
          ),
          csv: (row) => row.name,
        },
        {
          key: 'keywords',
          label: 'Quando',
          width: 260,
          wideOnly: true,
          render: (row) => {
            const place = placeText(row, nameOf)
            return (
              <span className={classes.words}>
                <span>{whenText(row)}</span>
                {place && <span className={classes.meta}>{place}</span>}
              </span>
            )
          },
          csv: (row) => [whenText(row), placeText(row, nameOf)].filter(Boolean).join(' · '),
        },
        { key: 'parts', label: 'O que faz', fills: true, wideOnly: true, render: doesText, csv: doesText },
        { ...activeColumn('Ativa', 'Inativa'), wideOnly: true },
        {
          key: 'lastAt',
          label: 'Respondeu',
          width: 130,
          wideOnly: true,
          render: (row) => (row.lastAt ? <RelativeTime moment={row.lastAt} /> : 'Ainda não'),
          csv: (row) => row.lastAt,
        },
      ]}
      fields={(form, row, inputOf) => (
        <RuleFields form={form} rule={row} rules={rules} offered={offered} nameInput={inputOf('name')} />
      )}
    />
  )
}

const OrderButtons = ({ row, ids }: { row: { id: string; name: string }; ids: readonly string[] }) => {
  const cache = useQueryClient()
  const at = ids.indexOf(row.id)
  const move = useMutation({
    mutationFn: (to: number) => orderAutoReplies(ids.toSpliced(at, 1).toSpliced(to, 0, row.id)),
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource', 'autoReply'] }),
    onError: (error) => notify.error(reasonOf(error)),
  })
  return (
    <Group gap={2} wrap="nowrap" justify="flex-end">
      <ActionIcon
        aria-label={`Subir ${row.name}`}
        disabled={at <= 0 || move.isPending}
        onClick={() => move.mutate(at - 1)}
      >
        <IconArrowUp size={17} stroke={1.75} />
      </ActionIcon>
      <ActionIcon
        aria-label={`Descer ${row.name}`}
        disabled={at < 0 || at === ids.length - 1 || move.isPending}
        onClick={() => move.mutate(at + 1)}
      >
        <IconArrowDown size={17} stroke={1.75} />
      </ActionIcon>
    </Group>
  )
}
