import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { Button } from '@mantine/core'
import { IconEye, IconHourglassOff, IconLock, IconSend } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useDraft } from '../../../features/conversations/messages/drafts.ts'
import { turnOf } from '../../../features/conversations/tickets/turn.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import classes from './chat.module.css'

type BarsProps = {
  ticket: Ticket
  isBeginning: boolean
  onBegin: (action: 'accept' | 'takeOver' | 'reopen') => void
  isWindowOver: boolean
  /** What may be sent after the window. */
  hasTemplates: boolean
  canNote: boolean
  onNote: () => void
  onTemplate: (() => void) | undefined
  /** Begins a conversation with the same contact. */
  onTalk: (() => void) | undefined
}

/** Why one cannot write here now, and what to do about it. */
export const Bars = (props: BarsProps) => {
  const { ticket, isBeginning, onBegin, isWindowOver, hasTemplates, canNote, onNote, onTemplate, onTalk } = props
  const canWork = useCan('tickets.write')
  const { userId } = useCurrentSession()
  const turn = turnOf(ticket)
  const isOthersTurn = turn !== null && turn.userId !== userId
  const kept = useDraft({ ticketId: ticket.id, kind: 'message' }).trim() && 'O que você escreveu está guardado.'
  const note = canNote && (
    <Button
      variant="subtle"
      color="blue"
      size="compact-sm"
      leftSection={<IconLock size={15} aria-hidden />}
      onClick={onNote}
    >
      Escrever nota
    </Button>
  )
  if (ticket.status === 'pending')
    return (
      <Bar
        icon={<IconEye size={18} aria-hidden />}
        text={isOthersTurn ? `Na vez de ${turn?.name}` : turn ? 'Na sua vez' : 'Você está só olhando'}
        hint={kept || (isOthersTurn ? 'Ainda não aceitou.' : 'Nada foi marcado como lido.')}
      >
        {note}
        {canWork &&
          (isOthersTurn ? (
            <Button variant="default" loading={isBeginning} onClick={() => onBegin('takeOver')}>
              Assumir mesmo assim
            </Button>
          ) : (
            <Button loading={isBeginning} onClick={() => onBegin('accept')}>
              Aceitar
            </Button>
          ))}
      </Bar>
    )
  if (ticket.protocol === '')
    return (
      <Bar
        icon={<IconSend size={18} aria-hidden />}
        text="Envios de campanhas"
        hint="Aqui só se lê. A resposta do cliente abre um atendimento."
      >
        {onTalk && (
          <Button variant="default" onClick={onTalk}>
            Conversar
          </Button>
        )}
      </Bar>
    )
  if (ticket.status === 'closed')
    return (
      <Bar
        icon={<IconLock size={18} aria-hidden />}
        text="Atendimento encerrado"
        hint={[ticket.closedAt && `em ${formatDateTime(ticket.closedAt)}.`, kept].filter(Boolean).join(' ')}
      >
        {canWork && (
          <Button variant="default" loading={isBeginning} onClick={() => onBegin('reopen')}>
            Reabrir
          </Button>
        )}
      </Bar>
    )
  if (isWindowOver)
    return (
      <Bar
        icon={<IconHourglassOff size={18} aria-hidden />}
        tone="waiting"
        text={
          hasTemplates
            ? 'A janela de 24 horas fechou. Envie um modelo aprovado.'
            : 'A janela de resposta fechou. Você responde quando o cliente escrever de novo.'
        }
        hint={kept || undefined}
      >
        {note}
        {onTemplate && <Button onClick={onTemplate}>Escolher modelo</Button>}
      </Bar>
    )
  return null
}

type BarProps = { icon: ReactNode; text: string; hint?: string; tone?: 'waiting'; children: ReactNode }
const Bar = ({ icon, text, hint, tone, children }: BarProps) => (
  <div className={classes.bar} data-tone={tone} role="status">
    {icon}
    <span className={classes.barWords}>
      {text}
      {hint && <span className={classes.hint}> {hint}</span>}
    </span>
    {children}
  </div>
)
