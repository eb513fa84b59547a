import type { SettingsAnswer } from '@balcao/contract/settings.ts'
import { Anchor, Button } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, Navigate, useLocation } from 'react-router'
import { AccentSetting } from '../../features/settings/accent-setting.tsx'
import { settingsQuery } from '../../features/settings/api.ts'
import { isFound, switchSections } from '../../features/settings/catalogue.ts'
import { ClosingSettings, ProtocolSettings } from '../../features/settings/closing-settings.tsx'
import { LogoSetting } from '../../features/settings/logo-setting.tsx'
import { PauseReasons } from '../../features/settings/pause-reasons.tsx'
import { SettingRow, SettingSection } from '../../features/settings/setting-row.tsx'
import classes from '../../features/settings/settings.module.css'
import { SlaPanel } from '../../features/settings/sla-panel.tsx'
import { SwitchSetting } from '../../features/settings/switch-setting.tsx'
import { TemplatePrices } from '../../features/settings/template-prices.tsx'
import { TimezoneSetting } from '../../features/settings/timezone-setting.tsx'
import { type Save, useAutoSave } from '../../features/settings/use-auto-save.ts'
import { isApiError, messageOf } from '../../kit/api-error.ts'
import { useCurrentSession } from '../../kit/session.ts'
import { useUrlState } from '../../kit/url-state.ts'
import { useCan } from '../../kit/use-can.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ForbiddenState } from '../../ui/forbidden-state.tsx'
import { Page } from '../../ui/page.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { SkeletonList } from '../../ui/skeleton-list.tsx'

/** /configuracoes leads to its first page (spec §2). */
export default function ConfiguracoesScreen() {
  const { pathname, search } = useLocation()
  if (pathname.replace(/\/$/, '') === '/configuracoes') {
    return <Navigate to={{ pathname: '/configuracoes/geral', search }} replace />
  }
  return <GeneralSettings />
}

const GeneralSettings = () => {
  const mayWrite = useCan('settings.write')
  const settings = useQuery({ ...settingsQuery, enabled: mayWrite })
  const [search, setSearch] = useUrlState('busca')
  const { save, problems } = useAutoSave()
  if (!mayWrite || isApiError(settings.error, 'ERR_NO_PERMISSION')) return <ForbiddenState />
  return (
    <Page
      header={
        <PageHeader
          title="Configurações"
          purpose="Como o atendimento funciona para toda a empresa. Cada mudança é salva na hora."
        >
          <SearchInput label="Buscar uma configuração" value={search} onSearch={setSearch} />
        </PageHeader>
      }
    >
      {settings.data ? (
        <Sections
          settings={settings.data}
          search={search}
          problems={problems}
          save={save}
          onClear={() => setSearch('')}
        />
      ) : settings.isError ? (
        <ErrorState message={messageOf(settings.error)} onRetry={() => void settings.refetch()} />
      ) : (
        <SkeletonList rows={6} height={76} />
      )}
    </Page>
  )
}

type Props = {
  settings: SettingsAnswer
  search: string
  problems: Record<string, string>
  save: Save
  onClear: () => void
}

const Sections = ({ settings, search, problems, save, onClear }: Props) => {
  const company = companyRows({ settings, problems, save, name: useCurrentSession().user.tenant.name })
  const hours = 'Horário de atendimento feriados mensagem fora do expediente aberto fechado'
  const mayHours = useCan('business-hours.write')
  const shownCompany = company.filter((row) => isFound(search, 'Empresa', row.words))
  const showClosing = isFound(search, 'Encerramento automático tempo mensagem paradas palavras cliente encerra')
  const showProtocol = isFound(search, 'Protocolo mensagem link público validade')
  const shownSwitches = switchSections
    .map((section) => ({
      ...section,
      cards: section.cards.filter((one) => isFound(search, section.title, one.label, one.help, one.on, one.off)),
    }))
    .filter((section) => section.cards.length > 0 || (section.key === closing && showClosing))
  const showPrices = isFound(search, 'Preço dos modelos do WhatsApp template marketing utilidade autenticação Meta')
  const showHours = mayHours && isFound(search, hours)
  const showSla = isFound(search, 'Prazos de atendimento SLA primeira resposta resolução fila prioridade')
  const showPauses = isFound(search, 'Pausas da equipe motivos de pausa almoço intervalo')
  if (
    ![shownCompany.length, shownSwitches.length, showHours, showPrices, showSla, showPauses, showProtocol].some(Boolean)
  ) {
    return (
      <EmptyState
        icon={<IconSearchOff size={26} stroke={1.5} />}
        title={`Nenhuma configuração com “${search}”`}
        action={
          <Button variant="default" onClick={onClear}>
            Limpar busca
          </Button>
        }
      >
        Tente outra palavra, como “grupos”, “cor” ou “supervisor”.
      </EmptyState>
    )
  }
  return (
    <div className={classes.sections}>
      {shownCompany.length > 0 && (
        <SettingSection title="Empresa">{shownCompany.map((row) => row.element)}</SettingSection>
      )}
      {showHours && (
        <SettingSection title="Horário de atendimento">
          <SettingRow
            label="Semana, feriados e mensagem fora do horário"
            help="Quando a empresa atende e o que o cliente lê quando ela está fechada."
          >
            <Anchor component={Link} to="/horario-atendimento">
              Abrir
            </Anchor>
          </SettingRow>
        </SettingSection>
      )}
      {showSla && <SlaPanel targets={settings.slaTargets} problem={problems.slaTargets} save={save} />}
      {showPauses && (
        <SettingSection title="Pausas da equipe">
          <PauseReasons reasons={settings.pauseReasons} problem={problems.pauseReasons} save={save} />
        </SettingSection>
      )}
      {showPrices && <TemplatePrices prices={settings.templatePrices} problem={problems.templatePrices} save={save} />}
      {shownSwitches.map((section) => (
        <SettingSection key={section.key} title={section.title} note={search ? undefined : section.note}>
          {section.cards.map((one) => (
            <SwitchSetting
              key={one.name}
              card={one}
              value={settings[one.name]}
              problem={problems[one.name]}
              save={save}
            />
          ))}
          {section.key === closing && showClosing && (
            <ClosingSettings settings={settings} problems={problems} save={save} />
          )}
        </SettingSection>
      ))}
      {showProtocol && <ProtocolSettings settings={settings} problems={problems} save={save} />}
    </div>
  )
}

/** The section of the switches about closing; what goes with them stands below. */
const closing = 'encerramento'

type CompanyRow = { words: string; element: ReactNode }

const companyRows = ({ settings, problems, save, name }: Omit<Props, 'search' | 'onClear'> & { name: string }) => {
  const rows: CompanyRow[] = [
    {
      words: 'Nome da empresa',
      element: (
        <SettingRow key="name" label="Nome" help="Quem muda o nome da empresa é a administração da plataforma.">
          <div className={classes.company}>{name}</div>
        </SettingRow>
      ),
    },
    {
      words: 'Fuso horário relógio datas cidade',
      element: <TimezoneSetting key="timezone" timezone={settings.timezone} problem={problems.timezone} save={save} />,
    },
    {
      words: 'Logotipo logo imagem marca',
      element: (
        <LogoSetting
          key="logo"
          mediaId={settings.logoMediaId}
          url={settings.logoUrl}
          problem={problems.mediaId}
          save={save}
        />
      ),
    },
    {
      words: 'Cor do sistema cores tema destaque contraste',
      element: (
        <AccentSetting key="accent" colors={settings.systemColors} problem={problems.systemColors} save={save} />
      ),
    },
  ]
  return rows
}
