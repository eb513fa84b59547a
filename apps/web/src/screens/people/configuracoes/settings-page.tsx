import type { SettingsAnswer } from '@balcao/contract/people/settings.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'react-router'
import { settingsQuery } from '../../../features/people/settings/api.ts'
import { switchSections } from '../../../features/people/settings/catalogue.ts'
import { SettingSection } from '../../../features/people/settings/setting-row.tsx'
import classes from '../../../features/people/settings/settings.module.css'
import { SwitchSetting } from '../../../features/people/settings/switch-setting.tsx'
import { type Save, useAutoSave } from '../../../features/people/settings/use-auto-save.ts'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'

export type SettingsProps = { settings: SettingsAnswer; problems: Record<string, string>; save: Save }
type Props = {
  title: string
  purpose: string
  /** What must not be saved half typed has a button of its own. */
  isSavedAtOnce?: boolean
  children: (props: SettingsProps) => ReactNode
}

/** The frame of each page of settings: one subject, saved as it changes. `#setting-…` in the address leads to that one. */
export const SettingsPage = ({ title, purpose, isSavedAtOnce = true, children }: Props) => {
  const mayWrite = useCan('settings.write')
  const settings = useQuery({ ...settingsQuery, enabled: mayWrite })
  const { save, problems } = useAutoSave()
  useNamedSetting(settings.isSuccess)
  if (!mayWrite || isApiError(settings.error, 'ERR_NO_PERMISSION')) return <ForbiddenState />
  return (
    <Page
      header={
        <PageHeader title={title} purpose={isSavedAtOnce ? `${purpose} Cada mudança é salva na hora.` : purpose} />
      }
    >
      {settings.data ? (
        <div className={classes.sections}>{children({ settings: settings.data, problems, save })}</div>
      ) : settings.isError ? (
        <ErrorState message={messageOf(settings.error)} onRetry={() => void settings.refetch()} />
      ) : (
        <SkeletonList rows={6} height={76} />
      )}
    </Page>
  )
}

/** One section of switches by its key, with what else belongs to it below. */
export const SwitchSection = ({
  section,
  settings,
  problems,
  save,
  children,
}: SettingsProps & { section: string; children?: ReactNode }) => {
  const found = switchSections.find(({ key }) => key === section)
  if (!found) return null
  return (
    <SettingSection title={found.title} note={found.note}>
      {found.cards.map((card) => (
        <SwitchSetting
          key={card.name}
          card={card}
          value={settings[card.name]}
          problem={problems[card.name]}
          save={save}
        />
      ))}
      {children}
    </SettingSection>
  )
}

/** The control that the address names is in sight, and has the focus. */
export const useNamedSetting = (isDrawn: boolean) => {
  const { hash, key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is another for each time it is asked for
  useEffect(() => {
    const setting = isDrawn && hash ? document.getElementById(hash.slice(1)) : null
    setting?.scrollIntoView({ block: 'center' })
    setting?.focus({ preventScroll: true })
  }, [hash, key, isDrawn])
}
