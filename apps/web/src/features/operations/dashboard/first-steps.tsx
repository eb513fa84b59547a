import type { FirstSteps as Steps } from '@balcao/contract/operations/dashboard.ts'
import { Button, Text } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { api } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { useCan } from '../../../kit/use-can.ts'
import { notify } from '../../../ui/notify.ts'
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
                <div className={classes.actions}>
                  {step.aside}
                  <Button
                    component={Link}
                    to={step.to}
                    target={step.isOutside ? '_blank' : undefined}
                    reloadDocument={step.isOutside}
                    size="xs"
                    variant={step === next ? 'filled' : 'default'}
                  >
                    {step.action}
                  </Button>
                </div>
              )}
            </li>
          ))}
        </ol>
      </Panel>
    </div>
  )
}

type Step = {
  title: string
  text: string
  action: string
  to: string
  isDone: boolean
  /** Opens beside this page. */
  isOutside?: boolean
  /** Another way to go on. */
  aside?: ReactNode
}

const attend = '/atendimento?aba=pendentes&todos=1'

const listOf = ({ channel, queue, team, answered, channelId, webchat }: Steps): Step[] => [
  webchat && !channel
    ? {
        title: 'Ligue um canal',
        text: 'O chat do site está criado. Falta dizer em que site ele abre.',
        action: 'Informar domínio',
        to: `/sessoes?registro=${webchat.id}`,
        isDone: channel,
      }
    : {
        title: 'Ligue um canal',
        text: 'Por onde os clientes falam com você: o chat do seu site, o WhatsApp ou o Telegram.',
        action: 'Adicionar canal',
        to: '/sessoes?registro=novo',
        isDone: channel,
      },
  channelId
    ? {
        title: 'Escolha a fila do canal',
        text: 'As conversas novas entram nela, e quem participa as atende.',
        action: 'Escolher fila',
        to: `/sessoes?registro=${channelId}`,
        isDone: queue,
      }
    : {
        title: 'Escolha a fila do canal',
        text: 'As conversas novas entram nela, e quem participa as atende. Já existe uma: dê o nome que a equipe usa.',
        action: 'Ver filas',
        to: '/filas',
        isDone: queue,
      },
  {
    title: 'Chame a equipe',
    text: 'Convide por link ou e-mail: cada pessoa atende com o próprio nome.',
    action: 'Convidar pessoa',
    to: '/usuarios?registro=novo',
    isDone: team,
    aside: <WorksAlone />,
  },
  webchat
    ? {
        title: 'Faça um teste',
        text: 'Abra o chat e escreva como cliente; depois responda em Atendimento.',
        action: 'Abrir o chat',
        to: `/webchat/frame?c=${encodeURIComponent(webchat.channelKey)}`,
        isOutside: true,
        isDone: answered,
        aside: (
          <Button component={Link} to={attend} size="xs" variant="subtle">
            Ver atendimentos
          </Button>
        ),
      }
    : {
        title: 'Faça um teste',
        text: 'Mande uma mensagem do seu celular ao canal e responda em Atendimento.',
        action: 'Ver atendimentos',
        to: attend,
        isDone: answered,
      },
]

const WorksAlone = () => {
  const cache = useQueryClient()
  const save = useMutation({
    mutationFn: () => api.put('/settings', { worksAlone: true }),
    onSuccess: () => cache.invalidateQueries({ queryKey: firstStepsQuery.queryKey }),
    onError: (error) => notify.error(messageOf(error)),
  })
  return (
    <Button size="xs" variant="subtle" loading={save.isPending} onClick={() => save.mutate()}>
      Trabalho sozinho
    </Button>
  )
}
