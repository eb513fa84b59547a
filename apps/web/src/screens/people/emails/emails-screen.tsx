import { type Mail, type MailState, mailKindLabels, mailStates } from '@balcao/contract/people/mails.ts'
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { mailList, useRetryMail } from '../../../features/people/mail/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { ReadingScreen } from '../../../kit/reading-screen.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import type { Column } from '../../../ui/data-table.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { notify } from '../../../ui/notify.ts'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'

/** What became of invitations and links: whoever waits for one in vain asks an administrator. */
export default function EmailsScreen() {
  const [searchParam] = useUrlState('busca')
  const [state, setState] = useUrlList('situacao')
  const list = useInfiniteQuery(mailList({ searchParam, state }))
  const retry = useRetryMail()
  const handleRetry = async (mail: Mail) => {
    try {
      await retry.mutateAsync(mail.id)
      notify.success(`Tentando enviar para ${mail.to}.`)
    } catch (error) {
      notify.error(messageOf(error))
    }
  }
  return (
    <ReadingScreen<Mail>
      title="E-mails enviados"
      purpose="Convites, links de senha e avisos enviados à equipe, e o que foi feito deles."
      searchLabel="Buscar por e-mail"
      filters={
        <FilterMenu
          label="Situação"
          options={mailStates.map((value) => ({ value, label: stateOf[value].label }))}
          value={state}
          onChange={setState}
        />
      }
      list={list}
      columns={columns}
      rowName={(mail) => `${mailKindLabels[mail.kind]} para ${mail.to}`}
      rowActions={(mail) =>
        mail.state === 'queued' && (
          <Tooltip label="Tentar agora">
            <ActionIcon
              aria-label={`Tentar agora: ${mailKindLabels[mail.kind]} para ${mail.to}`}
              disabled={retry.isPending}
              onClick={() => void handleRetry(mail)}
            >
              <IconRefresh size={18} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        )
      }
      empty={{
        title: 'Nenhum e-mail ainda',
        text: 'Ao convidar alguém ou pedir uma nova senha, o envio aparece aqui por 60 dias.',
      }}
    />
  )
}

const stateOf: Record<MailState, { tone: StatusTone; label: string }> = {
  queued: { tone: 'waiting', label: 'Na fila' },
  sent: { tone: 'good', label: 'Enviado' },
  refused: { tone: 'bad', label: 'Recusado' },
  failed: { tone: 'bad', label: 'Não enviado' },
}

const columns: Column<Mail>[] = [
  { key: 'to', label: 'Para' },
  { key: 'kind', label: 'Assunto', wideOnly: true, render: (mail) => mailKindLabels[mail.kind] },
  {
    key: 'state',
    label: 'Situação',
    width: 130,
    render: (mail) => <StatusDot {...stateOf[mail.state]} />,
  },
  {
    key: 'error',
    label: 'Detalhe',
    wideOnly: true,
    render: (mail) => (
      <span className="truncate" title={mail.error ?? undefined}>
        {mail.error && mail.attemptAt
          ? `${mail.error} · nova tentativa em ${formatDateTime(mail.attemptAt)}`
          : mail.error}
      </span>
    ),
  },
  { key: 'createdAt', label: 'Pedido', width: 150, render: (mail) => <RelativeTime moment={mail.createdAt} /> },
]
