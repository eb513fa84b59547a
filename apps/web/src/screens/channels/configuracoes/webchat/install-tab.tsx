import type { Connection } from '@balcao/contract/channels/connections.ts'
import { hasWebchatSite } from '@balcao/contract/channels/webchat.ts'
import { Alert, Button, Table, Tabs, Text } from '@mantine/core'
import { Link } from 'react-router'
import { SettingSection } from '../../../../features/people/settings/setting-row.tsx'
import { CopyField } from '../../../../ui/copy-field.tsx'
import { OwnMachineNote } from '../../../../ui/own-machine-note.tsx'
import { CheckSite } from './check-site.tsx'
import { events, identityExamples, jsCalls, policyOf, snippetOf } from './site-code.ts'
import classes from './webchat.module.css'

/** Everything whoever keeps the site needs, to copy. */
export const InstallTab = ({ chat }: { chat: Connection }) => {
  const { origin } = location
  return (
    <div className={classes.stack}>
      {!hasWebchatSite(chat.config) && (
        <Alert color="yellow" role="alert">
          Falta o domínio do seu site: sem ele o chat não abre em lugar nenhum.{' '}
          <Link to={`/sessoes?registro=${chat.id}`}>Abrir o canal</Link>
        </Alert>
      )}
      <SettingSection title="1. Código" note="Cole antes de </body> em todas as páginas, ou no gerenciador de tags.">
        <div className={classes.field}>
          <CopyField label="Código para o site" value={snippetOf(origin, chat.channelKey ?? '')} multiline />
          <OwnMachineNote address={origin} />
        </div>
      </SettingSection>
      <SettingSection
        title="Verificar o site"
        note="Abrimos a página como um visitante e dizemos se o chat aparece nela."
      >
        <CheckSite chat={chat} />
      </SettingSection>
      <SettingSection
        title="2. Política de segurança (CSP)"
        note="Só para sites que mandam o cabeçalho Content-Security-Policy: junte estas fontes às suas."
      >
        <div className={classes.field}>
          <CopyField label="Fontes para o CSP" value={policyOf(origin)} multiline />
        </div>
      </SettingSection>
      <SettingSection
        title="3. Quem é o visitante"
        note={
          <>
            Opcional. O seu servidor assina quem entrou no site, e a conversa é a mesma em todos os aparelhos. Por JWT
            (sub, aud {chat.channelKey}, exp de até 1 hora) ou por HMAC, com o segredo que fica nos dados do canal.
          </>
        }
        actions={
          <Button component={Link} to={`/sessoes?registro=${chat.id}`} variant="default" size="xs">
            Abrir o canal
          </Button>
        }
      >
        <div className={classes.field}>
          <Tabs defaultValue="node">
            <Tabs.List>
              {identityExamples(chat.channelKey ?? '').map(({ value, label }) => (
                <Tabs.Tab key={value} value={value}>
                  {label}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {identityExamples(chat.channelKey ?? '').map(({ value, label, code }) => (
              <Tabs.Panel key={value} value={value} pt="sm">
                <CopyField label={label} value={code} multiline maxRows={18} />
              </Tabs.Panel>
            ))}
          </Tabs>
        </div>
      </SettingSection>
      <SettingSection
        title="4. Comandos e eventos"
        note="Valem em qualquer página com o código, mesmo antes de carregar."
      >
        <div className={classes.field}>
          <Codes rows={jsCalls} />
          <Text fw={600} mt="md">
            Eventos
          </Text>
          <Codes rows={events} />
        </div>
      </SettingSection>
    </div>
  )
}

const Codes = ({ rows }: { rows: readonly (readonly [string, string])[] }) => (
  <Table>
    <Table.Tbody>
      {rows.map(([code, what]) => (
        <Table.Tr key={code}>
          <Table.Td>
            <code>{code}</code>
          </Table.Td>
          <Table.Td>{what}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)
