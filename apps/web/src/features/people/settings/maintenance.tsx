import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../kit/api.ts'
import { longTimeoutMs } from '../../../kit/api-client.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { SettingRow, SettingSection } from './setting-row.tsx'

/** What puts conversations right when something of them looks wrong; each says what it did. */
export const Maintenance = () => {
  const [isAsking, setAsking] = useState(false)
  const faces = useMutation({
    mutationFn: () =>
      api.put<{ checked: number; corrected: number }>('/ticketsLastMessageAt', {}, { timeoutMs: longTimeoutMs }),
  })
  const robots = useMutation({
    mutationFn: () => api.get<{ cleared: number }>('/ticketsClear', { timeoutMs: longTimeoutMs }),
    onSettled: () => setAsking(false),
  })
  return (
    <SettingSection title="Manutenção">
      <SettingRow
        id="setting-faces"
        label="Corrigir as listas"
        help="Refaz a última mensagem, a hora e o “não enviada” de cada conversa a partir das mensagens. Use se uma lista mostrar algo diferente da conversa."
        effect={faces.data && facesText(faces.data)}
        problem={faces.error ? messageOf(faces.error) : undefined}
      >
        <Button id="setting-faces" variant="default" loading={faces.isPending} onClick={() => faces.mutate()}>
          Corrigir
        </Button>
      </SettingRow>
      <SettingRow
        id="setting-robots"
        label="Esquecer o histórico dos assistentes"
        help="Nas conversas que você vê, cada assistente passa a responder como se a conversa começasse agora."
        effect={robots.data && robotsText(robots.data.cleared)}
        problem={robots.error ? messageOf(robots.error) : undefined}
      >
        <Button id="setting-robots" variant="default" loading={robots.isPending} onClick={() => setAsking(true)}>
          Esquecer
        </Button>
      </SettingRow>
      <ConfirmDialog
        opened={isAsking}
        title="Esquecer o histórico dos assistentes?"
        confirmLabel="Esquecer"
        busy={robots.isPending}
        onConfirm={() => robots.mutate()}
        onClose={() => setAsking(false)}
      >
        As mensagens continuam nas conversas; só os assistentes deixam de lembrar delas.
      </ConfirmDialog>
    </SettingSection>
  )
}

const facesText = ({ checked, corrected }: { checked: number; corrected: number }) =>
  corrected === 0
    ? `Tudo certo: ${formatNumber(checked)} ${checked === 1 ? 'conversa conferida' : 'conversas conferidas'}.`
    : `${formatNumber(corrected)} de ${formatNumber(checked)} ${corrected === 1 ? 'corrigida' : 'corrigidas'}.`
const robotsText = (cleared: number) =>
  cleared === 0
    ? 'Não havia nada a esquecer.'
    : `Histórico esquecido em ${formatNumber(cleared)} ${cleared === 1 ? 'conversa' : 'conversas'}.`
