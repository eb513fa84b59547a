import type { Connection } from '@balcao/contract/channels/connections.ts'
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { IconCircleCheck, IconDeviceMobile, IconQrcode, IconRefresh } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { useNow } from '../../../ui/clock.ts'
import { nowMs } from '../../../ui/server-time.ts'
import { useTurnConnection } from './api.ts'
import classes from './link-dialog.module.css'
import { Countdown, LoginSquare } from './login-square.tsx'

type Props = { connection: Connection; onClose: () => void }

/** Links a phone to a channel: a square to scan or a code to type, each for as long as it lasts. */
export const LinkDialog = ({ connection, onClose }: Props) => {
  const { qrcode, pairingCode, status, statusText, name } = connection
  const turn = useTurnConnection()
  const [byNumber, setByNumber] = useState(false)
  const isLinked = status === 'CONNECTED'
  const link = (phone?: string) => turn.mutate({ id: connection.id, to: 'link', ...(phone && { phone }) })

  const asked = useRef(false)
  useEffect(() => {
    if (asked.current || isLinked || qrcode || pairingCode) return
    asked.current = true
    link()
  })

  return (
    <Modal
      opened
      onClose={onClose}
      size={560}
      title={<Text fw={600}>Conectar {name}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <div aria-live="polite" className={classes.body}>
        {isLinked ? (
          <Linked connection={connection} onClose={onClose} />
        ) : (
          <>
            {turn.isError && (
              <Alert color="red" role="alert">
                {messageOf(turn.error)}
              </Alert>
            )}
            {status === 'ERROR' && statusText && !turn.isPending && (
              <Alert color="red" role="alert">
                {statusText}
              </Alert>
            )}
            {byNumber ? (
              <ByNumber connection={connection} isBusy={turn.isPending} onAsk={link} />
            ) : (
              <BySquare connection={connection} isBusy={turn.isPending} onAsk={() => link()} />
            )}
            <Group justify="space-between" mt="md">
              <Button
                variant="subtle"
                size="compact-sm"
                leftSection={
                  byNumber ? <IconQrcode size={16} aria-hidden /> : <IconDeviceMobile size={16} aria-hidden />
                }
                onClick={() => setByNumber(!byNumber)}
              >
                {byNumber ? 'Ler um QR code' : 'Usar o número do telefone'}
              </Button>
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<IconRefresh size={16} aria-hidden />}
                loading={turn.isPending}
                onClick={() => link()}
                display={byNumber ? 'none' : undefined}
              >
                Novo código
              </Button>
            </Group>
          </>
        )}
      </div>
    </Modal>
  )
}

const steps = (last: string) => (
  <ol className={classes.steps}>
    <li>Abra o WhatsApp no celular da empresa.</li>
    <li>
      Toque em <b>Mais opções</b> ou <b>Configurações</b> e em <b>Aparelhos conectados</b>.
    </li>
    <li>{last}</li>
  </ol>
)

type Way = { connection: Connection; isBusy: boolean; onAsk: (phone?: string) => void }

/** A provider that does not draw the next code by itself is asked for it, so often; then the person is. */
const askedByItself = 3
const overdueMs = 2_000
const useNextCode = (until: string | null, onAsk: () => void) => {
  const asked = useRef(0)
  const ask = useRef(onAsk)
  ask.current = onAsk
  useEffect(() => {
    if (!until || asked.current >= askedByItself) return
    const timer = setTimeout(
      () => {
        asked.current += 1
        ask.current()
      },
      new Date(until).getTime() - nowMs() + overdueMs,
    )
    return () => clearTimeout(timer)
  }, [until])
}

const BySquare = ({ connection: { qrcode, loginUntil }, isBusy, onAsk }: Way) => {
  const end = loginUntil ? new Date(loginUntil).getTime() : null
  const isOver = useNow(end) >= (end ?? Number.POSITIVE_INFINITY)
  useNextCode(qrcode && loginUntil, () => onAsk())
  return (
    <div className={classes.ways}>
      {steps('Toque em Conectar um aparelho e aponte a câmera para este código.')}
      <Stack align="center" gap="xs">
        <LoginSquare code={isOver ? null : qrcode} isBusy={isBusy} onAsk={() => onAsk()} />
        {qrcode && loginUntil && !isOver && <Countdown until={loginUntil} />}
      </Stack>
    </div>
  )
}

const ByNumber = ({ connection: { pairingCode, loginUntil }, isBusy, onAsk }: Way) => {
  const [phone, setPhone] = useState('')
  const [error, setError] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
  }, [])
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const digits = phone.replace(/\D/g, '')
    if (digits.length < 10 || digits.length > 15) return setError('Informe o número com DDI e DDD: 5511999998888.')
    setError('')
    onAsk(digits)
  }
  return (
    <Stack gap="md">
      {steps('Toque em Conectar um aparelho, em Conectar com número de telefone, e digite o código.')}
      <form onSubmit={handleSubmit} noValidate>
        <Group align="flex-start" wrap="nowrap">
          <TextInput
            aria-label="Número do telefone"
            placeholder="5511999998888"
            type="tel"
            inputMode="tel"
            flex={1}
            ref={field}
            value={phone}
            error={error}
            onChange={(event) => setPhone(event.currentTarget.value)}
          />
          <Button type="submit" loading={isBusy}>
            Gerar código
          </Button>
        </Group>
      </form>
      {pairingCode && (
        <Stack align="center" gap="xs">
          <output className={classes.pairing} aria-label="Código de conexão">
            {pairingCode.replace(/^(.{4})(.{4})$/, '$1-$2')}
          </output>
          {loginUntil && <Countdown until={loginUntil} />}
        </Stack>
      )}
    </Stack>
  )
}

const Linked = ({ connection: { account, name }, onClose }: Props) => (
  <Stack align="center" gap="sm" py="md">
    <IconCircleCheck size={48} stroke={1.5} className={classes.done} aria-hidden />
    <Text fw={600}>Telefone conectado</Text>
    <Text size="sm" c="dimmed" ta="center">
      {account?.name || account?.number
        ? `${[account.name, account.number && `+${account.number}`].filter(Boolean).join(' · ')} atende por ${name}.`
        : `${name} já recebe e envia mensagens.`}
    </Text>
    <Button onClick={onClose} data-autofocus>
      Concluir
    </Button>
  </Stack>
)
