import { type Mail, mailKindLabels } from '@balcao/contract/people/mails.ts'
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { mailList, useRetryMail } from '../../../features/people/mail/api.ts'
import { mailColumns, mailStateOptions } from '../../../features/people/mail/mail-columns.tsx'
import { messageOf } from '../../../kit/api-error.ts'
import { ReadingScreen } from '../../../kit/reading-screen.tsx'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { notify } from '../../../ui/notify.ts'

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
      filters={<FilterMenu label="Situação" options={mailStateOptions} value={state} onChange={setState} />}
      list={list}
      columns={mailColumns}
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
