import { gatewayKinds } from '@balcao/contract/channels/hosts.ts'
import { channels } from '@balcao/contract/channels/index.ts'
import { integrations } from '@balcao/contract/core/integrations/index.ts'
import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { connectionLimits, gatewayList } from '../../../features/channels/connections/api.ts'
import { settingsQuery } from '../../../features/people/settings/api.ts'
import { CallAnswer } from '../../../features/people/settings/call-answer.tsx'
import { useAutoSave } from '../../../features/people/settings/use-auto-save.ts'
import { formatNumber } from '../../../kit/format.ts'
import { useCan } from '../../../kit/use-can.ts'
import { FactList } from '../../../ui/fact-list.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SwitchSection, useNamedSetting } from '../../people/configuracoes/settings-page.tsx'
import { AddConnection } from '../sessoes/add-connection.tsx'
import { ConnectionBoard } from '../sessoes/connection-board.tsx'
import classes from './gateway-server.module.css'

/** What the company may have of channels, where they stand, and all of them. */
export default function CanaisLimitesScreen() {
  const mayWrite = useCan('connections.write')
  if (!mayWrite) return <ForbiddenState />
  return (
    <Page
      header={
        <PageHeader
          title="Limites e padrões"
          purpose="Quantos canais a empresa tem e pode ter, em que servidores, e o que todos fazem."
          actions={<AddConnection />}
        />
      }
    >
      <Limits />
      <Defaults />
      <ConnectionBoard
        empty={{ title: 'Nenhum canal ligado ainda', text: 'Adicione o primeiro para começar a atender.' }}
      />
    </Page>
  )
}

/** What every channel does that says nothing else. */
const Defaults = () => {
  const settings = useQuery({ ...settingsQuery, enabled: useCan('settings.write') }).data
  const { save, problems } = useAutoSave()
  useNamedSetting(settings !== undefined)
  if (!settings) return null
  return (
    <div className={classes.defaults}>
      <SwitchSection section="canais" {...{ settings, save, problems }}>
        <CallAnswer value={settings.callRejectMessage} problem={problems.callRejectMessage} save={save} />
      </SwitchSection>
    </div>
  )
}

const Limits = () => {
  const limits = useQuery(connectionLimits).data
  const gateways = useQuery(gatewayList).data
  if (!limits) return null
  const { used, most, allowedChannels } = limits
  return (
    <section className={classes.limits} aria-label="Limites">
      <FactList
        facts={[
          ['Canais', `${formatNumber(used)} de ${formatNumber(most)}`],
          [
            'Tipos permitidos',
            allowedChannels ? allowedChannels.map((kind) => channels[kind].label).join(', ') : 'Todos',
          ],
          ...gatewayKinds.map((kind) => {
            const found = gateways?.find((one) => one.kind === kind)
            const where = found?.company ? 'da empresa' : found?.installation ? 'da instalação' : 'nenhum'
            const link = (
              <Anchor key={kind} component={Link} to={`/configuracoes/${kind}`} size="sm">
                {where}
              </Anchor>
            )
            return [`Servidor ${integrations[kind].label}`, link] as const
          }),
        ]}
      />
      {used >= most && (
        <Text size="sm" c="dimmed">
          O limite foi atingido. Para ter mais canais, fale com quem cuida desta instalação.
        </Text>
      )}
    </section>
  )
}
