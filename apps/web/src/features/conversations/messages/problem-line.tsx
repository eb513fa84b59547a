import type { Message } from '@balcao/contract/conversations/messages.ts'
import { Button } from '@mantine/core'
import classes from './bubble.module.css'
import type { BubbleActions } from './bubble.tsx'
import type { Outgoing } from './outbox-state.ts'

export type Problem = { tone: 'bad' | 'unsure'; text: string }

type Props = { problem: Problem; message: Message; outgoing: Outgoing | undefined; actions: BubbleActions }

/** Why a message has not gone, and what can be done about it. */
export const ProblemLine = ({ problem, message, outgoing, actions }: Props) => (
  <span className={classes.problem} data-tone={problem.tone} role="status">
    <span>{problem.text}</span>
    {outgoing ? (
      <>
        {outgoing.state === 'held' ? (
          <Button size="compact-sm" color="amber" onClick={() => actions.onForce(outgoing)}>
            Enviar assim mesmo
          </Button>
        ) : (
          <Button size="compact-sm" variant="light" color="red" onClick={() => actions.onRetry(outgoing)}>
            Tentar de novo
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => actions.onWithdraw(outgoing)}>
          Voltar a editar
        </Button>
      </>
    ) : (
      <Button
        size="compact-sm"
        variant="light"
        color={problem.tone === 'bad' ? 'red' : 'amber'}
        onClick={() => actions.onResend(message)}
      >
        Tentar de novo
      </Button>
    )}
  </span>
)

export const problemOf = (message: Message, outgoing: Outgoing | undefined): Problem | null => {
  if (outgoing?.state === 'held') return { tone: 'unsure', text: `${newerText(outgoing.newer)} Enviar assim mesmo?` }
  if (outgoing?.state === 'failed') return { tone: 'bad', text: `Não enviada. ${outgoing.error ?? ''}` }
  if (message.status === 'failed') return { tone: 'bad', text: message.error ?? 'Não conseguimos enviar.' }
  if (message.status === 'uncertain')
    return { tone: 'unsure', text: message.error ?? 'Entrega incerta: não sabemos se o cliente recebeu.' }
  return null
}

const newerText = (newer: readonly Message[]) => {
  const colleague = newer.find((message) => message.fromMe)?.user?.name
  const theirs = newer.some((message) => !message.fromMe)
  if (colleague && theirs) return `O cliente escreveu e ${colleague} respondeu enquanto você escrevia.`
  return colleague ? `${colleague} respondeu enquanto você escrevia.` : 'O cliente escreveu enquanto você escrevia.'
}
