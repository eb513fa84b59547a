import { AccentSetting } from '../../../features/people/settings/accent-setting.tsx'
import { LogoSetting } from '../../../features/people/settings/logo-setting.tsx'
import { SettingRow, SettingSection } from '../../../features/people/settings/setting-row.tsx'
import classes from '../../../features/people/settings/settings.module.css'
import { TimezoneSetting } from '../../../features/people/settings/timezone-setting.tsx'
import { useCurrentSession } from '../../../kit/session.ts'
import { SettingsPage } from './settings-page.tsx'

export default function GeralScreen() {
  const { name } = useCurrentSession().user.tenant
  return (
    <SettingsPage title="Dados e aparência" purpose="O nome, o relógio e a cara da empresa.">
      {({ settings, problems, save }) => (
        <>
          <SettingSection title="Empresa">
            <SettingRow label="Nome" help="Quem muda o nome da empresa é a administração da plataforma.">
              <div id="setting-name" tabIndex={-1} className={classes.company}>
                {name}
              </div>
            </SettingRow>
            <TimezoneSetting timezone={settings.timezone} problem={problems.timezone} save={save} />
          </SettingSection>
          <SettingSection title="Aparência">
            <LogoSetting mediaId={settings.logoMediaId} url={settings.logoUrl} problem={problems.mediaId} save={save} />
            <AccentSetting colors={settings.systemColors} problem={problems.systemColors} save={save} />
          </SettingSection>
        </>
      )}
    </SettingsPage>
  )
}
