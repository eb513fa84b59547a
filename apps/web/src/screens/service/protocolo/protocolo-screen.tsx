import { type ProtocolPage, protocolStatusTexts } from '@balcao/contract/service/protocols.ts'
import { IconCircleCheckFilled, IconClockFilled, IconMessageCircleFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { CompanyHead, CustomerPage, CustomerPageLoading } from '../../../kit/customer-page.tsx'
import { formatDate, formatDateTime, setTimeZone } from '../../../kit/format.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { CheckCopy } from './check-copy.tsx'
import { protocolPage } from './protocolo-api.ts'
import classes from './protocolo-screen.module.css'
import { TakeCopy } from './take-copy.tsx'

/** Where a customer follows a protocol: no login, only the address they were given. */
export default function ProtocoloScreen() {
  const { token = '' } = useParams()
  const page = useQuery(protocolPage(token))
  return (
    <CustomerPage
      id="protocolo"
      title={page.data ? `Protocolo ${page.data.protocol} · ${page.data.company.name}` : 'Protocolo'}
      color={page.data?.company.color}
    >
      {page.data ? (
        <Protocol token={token} page={page.data} />
      ) : page.isError ? (
        isApiError(page.error) && page.error.status === 404 ? (
          <Notice role="alert" icon={<IconClockFilled size={26} />} title="Este link não está mais disponível">
            Ele expirou, foi cancelado ou está incompleto. Peça um novo a quem atendeu você.
          </Notice>
        ) : (
          <ErrorState message={messageOf(page.error)} onRetry={() => void page.refetch()} />
        )
      ) : (
        <CustomerPageLoading />
      )}
    </CustomerPage>
  )
}

const marks = { pending: IconClockFilled, open: IconMessageCircleFilled, closed: IconCircleCheckFilled } as const
const stories: Record<ProtocolPage['status'], string> = {
  pending: 'Recebemos sua mensagem. Em breve alguém da equipe responde por onde você nos escreveu.',
  open: 'Alguém da equipe está cuidando do seu caso. A resposta chega por onde você nos escreveu.',
  closed: 'Este atendimento foi concluído. Se precisar de algo mais, é só escrever para nós de novo.',
}

const Protocol = ({ token, page }: { token: string; page: ProtocolPage }) => {
  const { company, status } = page
  setTimeZone(company.timezone) // before any date below is drawn
  const Mark = marks[status]
  return (
    <>
      <CompanyHead {...company} />

      <section className={classes.card} aria-label="Situação">
        <p className={classes.label}>Protocolo</p>
        <h1 className={classes.number}>{page.protocol}</h1>
        <p className={classes.state} data-status={status}>
          <Mark size={20} aria-hidden />
          {protocolStatusTexts[status]}
        </p>
        <p className={classes.story}>{stories[status]}</p>
        <dl className={classes.facts}>
          {page.queue && (
            <div>
              <dt>Setor</dt>
              <dd>{page.queue}</dd>
            </div>
          )}
          <div>
            <dt>Aberto em</dt>
            <dd>
              <time dateTime={page.createdAt}>{formatDateTime(page.createdAt)}</time>
            </dd>
          </div>
          {page.closedAt && (
            <div>
              <dt>Encerrado em</dt>
              <dd>
                <time dateTime={page.closedAt}>{formatDateTime(page.closedAt)}</time>
              </dd>
            </div>
          )}
        </dl>
      </section>

      <TakeCopy token={token} />
      <CheckCopy token={token} />

      <footer className={classes.foot}>
        Esta página vale até {formatDate(page.expiresAt)}. Quem tem o endereço vê o mesmo que você: não o publique.
      </footer>
    </>
  )
}
