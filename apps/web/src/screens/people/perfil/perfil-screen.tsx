import { Button, Switch } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { NoticeSettings } from '../../../features/operations/notifications/notice-settings.tsx'
import { SettingRow, SettingSection } from '../../../features/people/settings/setting-row.tsx'
import classes from '../../../features/people/settings/settings.module.css'
import { profileLabels } from '../../../features/people/users/profiles.ts'
import { savePreferences } from '../../../kit/preferences.ts'
import { useCurrentSession, useIsDark } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { TagList } from '../../../ui/tag-list.tsx'
import { NameSetting } from './name-setting.tsx'
import { SignatureSetting } from './signature-setting.tsx'

const PasswordDialog = lazy(async () => ({
  default: (await import('../../../features/people/users/password-dialog.tsx')).PasswordDialog,
}))

/** What is mine: who I am, how I get in, how the screens treat me. */
export default function PerfilScreen() {
  const { user, profile, username } = useCurrentSession()
  const [isChanging, setChanging] = useState(false)
  const home = useCan('platform.read') ? user.otherProfile : null
  return (
    <Page header={<PageHeader title="Meu perfil" purpose="Seus dados e o jeito como o sistema trabalha com você." />}>
      <div className={classes.sections}>
        <SettingSection title="Você">
          {home ? (
            <SettingRow label="Nome" help={`Você muda o nome e a senha no seu perfil em ${home.name}.`}>
              <div className={classes.company}>{username}</div>
            </SettingRow>
          ) : (
            <NameSetting />
          )}
          <SettingRow label="E-mail" help="É com ele que você entra. Para mudar, fale com um administrador.">
            <div className={classes.company}>{user.email}</div>
          </SettingRow>
          <SettingRow label="Perfil" help={user.roleName ? 'Um perfil da sua empresa.' : profileLabels[profile].can}>
            <div className={classes.company}>{user.roleName ?? profileLabels[profile].name}</div>
          </SettingRow>
          {user.queues.length > 0 && (
            <SettingRow label="Filas" help="De onde chegam as suas conversas.">
              <TagList tags={user.queues} />
            </SettingRow>
          )}
          {!home && (
            <SettingRow label="Senha" help="Ao trocar, você entra de novo aqui e nos outros aparelhos.">
              <Button variant="default" onClick={() => setChanging(true)}>
                Alterar senha
              </Button>
            </SettingRow>
          )}
        </SettingSection>
        <Preferences />
      </div>
      {isChanging && (
        <Suspense fallback={null}>
          <PasswordDialog onClose={() => setChanging(false)} />
        </Suspense>
      )}
    </Page>
  )
}

const Preferences = () => {
  const { user, configuracoes } = useCurrentSession()
  const isDark = useIsDark()
  const { signature, undoSend, sound } = user.configs
  const isAlwaysSigned = configuracoes.signed === true
  return (
    <>
      <SettingSection title="Preferências" note="Valem em todos os aparelhos em que você entra.">
        <Preference
          id="preference-dark"
          label="Modo escuro"
          help="Descansa a vista em lugares com pouca luz."
          checked={isDark}
          onChange={(next) => void savePreferences({ isDark: next })}
        />
        <Preference
          id="preference-signature"
          label="Assinar mensagens"
          help={
            isAlwaysSigned
              ? 'A empresa assina todas as mensagens com o nome de quem escreve.'
              : 'O seu nome aparece acima do texto que o cliente recebe; nos e-mails, a assinatura fica abaixo dele.'
          }
          checked={signature || isAlwaysSigned}
          disabled={isAlwaysSigned}
          onChange={(next) => void savePreferences({ signature: next })}
        />
        <SignatureSetting />
        <Preference
          id="preference-undo"
          label="Desfazer envio"
          help="Cada mensagem espera cinco segundos antes de sair, para você poder voltar atrás."
          checked={undoSend}
          onChange={(next) => void savePreferences({ undoSend: next })}
        />
      </SettingSection>
      <SettingSection title="Notificações">
        <Preference
          id="preference-sound"
          label="Som"
          help="Um toque curto quando chega algo para você."
          checked={sound}
          onChange={(next) => void savePreferences({ sound: next })}
        />
        <NoticeSettings />
      </SettingSection>
    </>
  )
}

type PreferenceProps = {
  id: string
  label: string
  help: string
  checked: boolean
  disabled?: boolean
  onChange: (next: boolean) => void
}

const Preference = ({ id, label, help, checked, disabled, onChange }: PreferenceProps) => (
  <SettingRow id={id} label={label} help={help}>
    <Switch
      id={id}
      aria-describedby={`${id}-help`}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  </SettingRow>
)
