import { MantineProvider } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useMemo } from 'react'
import { createBalcaoTheme, cssVariables } from '../ui/theme.ts'
import classes from './customer-page.module.css'

type Props = {
  /** Of its root: the colours below it are the company's. */
  id: string
  title: string
  color: string | undefined
  children: ReactNode
}

/** A page for a customer, without a login: the company's colours and the device's light, whoever else is logged in here. */
export const CustomerPage = ({ id, title, color, children }: Props) => {
  const isDark = useMediaQuery('(prefers-color-scheme: dark)', undefined, { getInitialValueInEffect: false }) ?? false
  const scheme = isDark ? 'dark' : 'light'
  const theme = useMemo(() => createBalcaoTheme(color), [color])
  return (
    <div id={id} className={classes.page} data-mantine-color-scheme={scheme}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        cssVariablesSelector={`#${id}`}
        getRootElement={() => document.getElementById(id) ?? undefined}
        forceColorScheme={scheme}
      >
        <title>{title}</title>
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="no-referrer" />
        <main className={classes.main}>{children}</main>
      </MantineProvider>
    </div>
  )
}

/** Whose page it is. */
export const CompanyHead = ({ name, logoUrl }: { name: string; logoUrl: string | null }) => (
  <header className={classes.head}>
    {logoUrl ? (
      <img className={classes.logo} src={logoUrl} alt="" />
    ) : (
      <span className={classes.initial} aria-hidden>
        {[...name][0]?.toUpperCase()}
      </span>
    )}
    <span className={classes.company}>{name}</span>
  </header>
)

export const CustomerPageLoading = () => <div className={classes.loading} role="status" aria-label="Carregando" />
