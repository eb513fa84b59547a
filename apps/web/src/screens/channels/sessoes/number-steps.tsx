import type { BusinessNumber } from '@balcao/contract/channels/business.ts'
import { Alert, Button, Group, PinInput, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type NumberStep, numberOf, useNumberStep } from '../../../features/channels/connections/business-api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { notify } from '../../../ui/notify.ts'
import { StatusDot } from '../../../ui/status-dot.tsx'

const done: Record<NumberStep['to'], string> = {
  code: 'Código enviado ao número.',
  verify: 'Número confirmado.',
  register: 'Número registrado: já pode enviar e receber.',
  pin: 'PIN de duas etapas trocado.',
  webhook: 'Os avisos desta conta chegam direto a este canal.',
}
const nameStates: Record<string, string> = {
  APPROVED: 'nome aprovado',
  AVAILABLE_WITHOUT_REVIEW: 'nome aprovado',
  PENDING_REVIEW: 'nome em análise',
  DECLINED: 'nome recusado',
  EXPIRED: 'nome vencido',
}

/** From a number that Meta only knows to one that sends: code, PIN, registration; and what can be done afterwards. */
export const NumberSteps = ({ connectionId }: { connectionId: string }) => {
  const number = useQuery(numberOf(connectionId))
  const step = useNumberStep(connectionId)
  const [code, setCode] = useState('')
  const [pin, setPin] = useState('')
  const take = (wanted: NumberStep) =>
    step.mutate(wanted, {
      onSuccess: () => {
        notify.success(done[wanted.to])
        setCode('')
        setPin('')
      },
    })
  const isAt = (to: NumberStep['to']) => step.isPending && step.variables?.to === to
  if (!number.data)
    return number.isError ? (
      <Text size="sm" c="red">
        {messageOf(number.error)}
      </Text>
    ) : null
  const { isVerified, status } = number.data
  const isRegistered = status === 'CONNECTED'
  return (
    <Stack gap="sm">
      <NumberState number={number.data} />
      {step.error && (
        <Alert color="red" role="alert" p="xs">
          {messageOf(step.error)}
        </Alert>
      )}
      {!isVerified && !isRegistered && (
        <>
          <Text size="sm">Primeiro confirme que o número é seu: a Meta envia um código de 6 números.</Text>
          <Group gap="xs">
            <Button
              variant="default"
              size="xs"
              loading={isAt('code')}
              onClick={() => take({ to: 'code', method: 'SMS' })}
            >
              Receber por SMS
            </Button>
            <Button variant="default" size="xs" onClick={() => take({ to: 'code', method: 'VOICE' })}>
              Receber por ligação
            </Button>
          </Group>
          <Digits label="Código recebido" value={code} onChange={setCode} />
          <Button
            size="xs"
            style={{ alignSelf: 'flex-start' }}
            disabled={code.length !== 6}
            loading={isAt('verify')}
            onClick={() => take({ to: 'verify', code })}
          >
            Confirmar número
          </Button>
        </>
      )}
      <Text size="sm">
        {isRegistered
          ? 'O PIN de duas etapas protege o número: ele é pedido para registrá-lo de novo. Guarde-o.'
          : 'Para enviar e receber, registre o número com um PIN de 6 números. Se já houver um, use o mesmo.'}
      </Text>
      <Digits label="PIN de duas etapas" value={pin} onChange={setPin} />
      <Group gap="xs">
        {!isRegistered && (
          <Button
            size="xs"
            disabled={pin.length !== 6}
            loading={isAt('register')}
            onClick={() => take({ to: 'register', pin })}
          >
            Registrar número
          </Button>
        )}
        {isRegistered && (
          <Button
            variant="default"
            size="xs"
            disabled={pin.length !== 6}
            loading={isAt('pin')}
            onClick={() => take({ to: 'pin', pin })}
          >
            Trocar PIN
          </Button>
        )}
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          loading={isAt('webhook')}
          onClick={() => take({ to: 'webhook' })}
          title="Para um aplicativo da Meta que serve a vários sistemas: só os avisos desta conta vêm para cá."
        >
          Receber os avisos neste endereço
        </Button>
      </Group>
    </Stack>
  )
}

const NumberState = ({ number: { phone, name, nameStatus, status, isVerified } }: { number: BusinessNumber }) => (
  <div>
    <Text fw={500}>{phone}</Text>
    <Text size="sm" c="dimmed">
      {[name, nameStates[nameStatus ?? '']].filter(Boolean).join(' · ')}
    </Text>
    <StatusDot
      tone={status === 'CONNECTED' ? 'good' : 'waiting'}
      label={status === 'CONNECTED' ? 'Registrado' : isVerified ? 'Confirmado, falta registrar' : 'Falta confirmar'}
    />
  </div>
)

const Digits = ({ label, value, onChange }: { label: string; value: string; onChange: (digits: string) => void }) => (
  <div>
    <Text size="sm" mb={4}>
      {label}
    </Text>
    <PinInput
      length={6}
      type="number"
      value={value}
      onChange={onChange}
      aria-label={label}
      getInputProps={(at) => ({ 'aria-label': `${label}, número ${at + 1}` })}
    />
  </div>
)
