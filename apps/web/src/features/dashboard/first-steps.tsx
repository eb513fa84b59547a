import type { FirstSteps as Steps } from '@balcao/contract/dashboard.ts'
import { Button, Text } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useCan } from '../../kit/use-can.ts'
import { firstStepsQuery, isSetUp } from './api.ts'
import classes from './first-steps.module.css'
import { Panel } from './panel.tsx'

/** The way from an empty company to the first answered customer, for its administrators, until it is gone. */
export const FirstSteps = () => {
  const steps = useQuery({ ...firstStepsQuery, enabled: useCan('users.write') }).data
  if (!steps || isSetUp(steps)) return null
  const list = listOf(steps)
  const next = list.find((step) => !step.isDone)
  return (
    <div className={classes.box}>
      <Panel title="Primeiros passos">
        <ol className={classes.steps}>
          {list.map((step) => (
            <li key={step.title} className={classes.step} data-done={step.isDone}>
              {step.isDone ? (
                <IconCircleCheckFilled size={22} aria-label="Feito" className={classes.done} />
              ) : (
                <IconCircle size={22} stroke={1.5} aria-label="A fazer" className={classes.open} />
              )}
              <div className={classes.words}>
                <Text fw={500}>{step.title}</Text>
                {!step.isDone && (
                  <Text size="sm" c="dimmed">
                    {step.text}
                  </Text>
                )}
              </div>
              {!step.isDone && (
                <Button component={Link} to={step.to} size="xs" variant={step === next ? 'filled' : 'default'}>
                  {step.action}
                </Button>
              )}
            </li>
          ))}
        </ol>
      </Panel>
    </div>
  )
}

const listOf = ({ channel, queue, team, answered, webchatId }: Steps) => [
  webchatId && !channel
    ? {
        title: 'Ligue um canal',
        text: 'O chat do site está criado. Falta dizer em que site ele abre.',
        action: 'Informar domínio',
        to: `/sessoes?registro=${webchatId}`,
        isDone: channel,
      }
    : {
        title: 'Ligue um canal',
        text: 'Por onde os clientes falam com você: o chat do seu site, o WhatsApp ou o Telegram.',
        action: 'Adicionar canal',
        to: '/sessoes?registro=novo',
        isDone: channel,
      },
  {
    title: 'Monte uma fila',
    text: 'As conversas novas entram em uma fila, e quem participa dela as atende.',
    action: 'Ver filas',
    to: '/filas',
    isDone: queue,
  },
  {
    title: 'Chame a equipe',
    text: 'Cada pessoa atende com o próprio nome.',
    action: 'Adicionar pessoa',
    to: '/usuarios?registro=novo',
    isDone: team,
  },
  {
    title: 'Faça um teste',
    text: webchatId
      ? 'Escreva como cliente na prévia do chat e responda em Atendimentos.'
      : 'Mande uma mensagem ao seu canal e responda em Atendimentos.',
    action: webchatId ? 'Abrir a prévia' : 'Ver atendimentos',
    to: webchatId ? `/sessoes?registro=${webchatId}` : '/atendimento?aba=pendentes&todos=1',
    isDone: answered,
  },
]
