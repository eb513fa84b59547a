import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { setTimeZone } from '../kit/format.ts'
import { queryClient } from '../kit/query-client.ts'
import { useIsDark, useSession } from '../kit/session.ts'
import { LoadingOverlay } from '../ui/loading-overlay.tsx'
import { accentOf, createBalcaoTheme, cssVariables } from '../ui/theme.ts'
import { Toasts } from '../ui/toasts.tsx'
import { usePublicColors } from './public-colors.ts'

/** Theme by the tenant's colours and the person's dark mode; cache; toasts. */
export const Providers = ({ children }: { children: ReactNode }) => {
  const session = useSession()
  const isDark = useIsDark()
  if (session) setTimeZone(session.user.tenant.timezone) // before any date below is drawn
  const publicColors = usePublicColors()
  const accent = accentOf(session ? session.user.tenant.colors : publicColors)
  const theme = useMemo(() => createBalcaoTheme(accent), [accent])
  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme={isDark ? 'dark' : 'light'}>
        {children}
        <Toasts />
        <LoadingOverlay />
      </MantineProvider>
    </QueryClientProvider>
  )
}
