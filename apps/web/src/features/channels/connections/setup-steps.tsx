import type { Connection } from '@balcao/contract/channels/connections.ts'
import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { CopyField } from '../../../ui/copy-field.tsx'
import { isPublicAddress } from './public-address.ts'
import classes from './setup-steps.module.css'

/** What has to be done with the provider before and after saving. */
const before: Partial<Record<ChannelKind, string[]>> = {
  waba: [
    'No Gerenciador de Negócios da Meta, crie um usuário de sistema e gere um token com as permissões whatsapp_business_messaging e whatsapp_business_management.',
    'No painel do aplicativo, em WhatsApp → Configuração da API, copie os dois IDs. O segredo está em Configurações → Básico.',
    'Salve aqui: em seguida mostramos o endereço para o cadastro do webhook.',
  ],
  telegram: [
    'No Telegram, converse com o @BotFather e envie /newbot.',
    'Copie o token que ele responde e cole abaixo.',
  ],
}
const after: Partial<Record<ChannelKind, string[]>> = {
  waba: [
    'No painel do aplicativo da Meta, abra WhatsApp → Configuração e, em Webhook, toque em Editar.',
    'Cole o endereço e o token de verificação acima e confirme.',
    'Em Campos do webhook, assine messages.',
    'Volte aqui e toque em Testar.',
  ],
  webchat: [
    'Copie o código e cole antes de </body> em todas as páginas do site.',
    'Inclua o domínio do site em Domínios autorizados: em outros, o chat não abre.',
  ],
}

export const StepsBefore = ({ kind }: { kind: ChannelKind }) => <Steps lines={before[kind] ?? []} />

/** The addresses and codes to take to the provider, and where they go. */
export const StepsAfter = ({ connection }: { connection: Connection }) => {
  const { kind, webhookUrl, channelKey, config } = connection
  const { verifyToken } = config
  const lines = after[kind] ?? []
  if (lines.length === 0) return null
  return (
    <section className={classes.box} aria-label="Como ligar este canal">
      <Stack gap="sm">
        {channels[kind].showsWebhook && <CopyField label="Endereço do webhook" value={webhookUrl} />}
        {channels[kind].showsWebhook && !isPublicAddress(webhookUrl) && (
          <Alert color="amber" p="sm" icon={<IconAlertTriangle size={18} />}>
            A Meta não alcança este endereço: ela só chama endereços públicos com HTTPS. Quem cuida da instalação define
            o endereço em PUBLIC_URL.
          </Alert>
        )}
        {typeof verifyToken === 'string' && <CopyField label="Token de verificação" value={verifyToken} />}
        {channelKey && <CopyField label="Código para o site" value={snippetOf(channelKey)} multiline />}
        <Steps lines={lines} />
      </Stack>
    </section>
  )
}

const Steps = ({ lines }: { lines: string[] }) =>
  lines.length > 0 && (
    <Text size="sm" c="dimmed" component="ol" className={classes.steps}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </Text>
  )

const snippetOf = (channelKey: string) =>
  `<script async src="${window.location.origin}/widget.js" data-channel="${channelKey}"></script>`
